-- name: words_by_fts5
select rowid, -bm25(child_words, :label, :title, :text, :exact) as score
from child_words
where child_words match :match
order by score desc, rowid
limit :limit

-- name: child_instances
select doc, case col when 'label' then :label when 'title' then :title when 'text' then :text else :exact end
from temp.child_instances
where term = :term

-- name: parent_instances
select doc, case col when 'label' then :label when 'title' then :title when 'text' then :text else :exact end
from temp.parent_instances
where term = :term

-- name: child_sizes
select id, sz from child_words_docsize where id > :after order by id limit :limit

-- name: parent_sizes
select id, sz from parent_words_docsize where id > :after order by id limit :limit

-- name: instances
create virtual table temp.child_instances using fts5vocab (main, child_words, instance);
create virtual table temp.parent_instances using fts5vocab (main, parent_words, instance)

-- name: dense
select rowid, distance
from dense
where embedding match vec_int8(:vector) and k = :limit
order by distance

-- name: dense_within
select rowid, distance
from dense
where embedding match vec_int8(:vector) and k = :limit
  and rowid in (select value from json_each(:within))
order by distance

-- name: pooled_after
select chunk, pooled from vectors where chunk > :after order by chunk limit :limit

-- name: pooled
select chunk, pooled
from vectors
where chunk in (select value from json_each(:ids))
order by chunk

-- name: vectors
select chunk, pooled, tokens
from vectors
where chunk in (select value from json_each(:ids))
order by chunk

-- name: vocabulary
select term, chunks, word from vocabulary

-- name: spellings
select word, chunks from spellings

-- name: vector_count
select min((select count(*) from vectors), (select count(*) from dense_rowids))

-- name: chunk_count
select count(*) from chunks where searchable
