-- name: insert_child_words
insert into child_words (rowid, label, title, text, exact) values (?, ?, ?, ?, ?)

-- name: insert_parent_words
insert into parent_words (rowid, label, title, text, exact) values (?, ?, ?, ?, ?)

-- name: searchable_ids
select id from chunks where searchable order by id

-- name: create_dense
create virtual table dense using vec0 (embedding int8[:dimension])

-- name: insert_dense
insert into dense (rowid, embedding) values (?, vec_int8(?))

-- name: fill_vocabulary
create virtual table temp.in_rows using fts5vocab (main, child_words, row);
create virtual table temp.in_columns using fts5vocab (main, child_words, col);
insert into vocabulary
select term, doc, term in (select term from temp.in_columns where col in ('title', 'text'))
from temp.in_rows
order by term;
drop table temp.in_rows;
drop table temp.in_columns

-- name: optimize
insert into child_words (child_words) values ('optimize');
insert into parent_words (parent_words) values ('optimize')
