-- name: chunks_by_id
select
  c.id, d.id, c.parent, c.key, c.labels, c.kind, c.title, c.context, c.text, c.lines, c.boxes,
  c.table_row, c.extra
from chunks c
join documents d on d.position = c.document
where c.id in (select value from json_each(:ids))
order by c.id

-- name: chunks_of_document
select
  c.id, d.id, c.parent, c.key, c.labels, c.kind, c.title, c.context, c.text, c.lines, c.boxes,
  c.table_row, c.extra
from chunks c
join documents d on d.position = c.document
where c.document = :document
order by c.id

-- name: texts
select id, context, title, text, extra
from chunks
where id in (select value from json_each(:ids))

-- name: children_of
select id, parent
from chunks
where parent in (select value from json_each(:ids))
order by id

-- name: parents_around
select id
from chunks
where parent is null
  and document = (select document from chunks where id = :id)
  and id between :first and :last
order by id

-- name: labelled
select l.folded, l.rank, d.id, l.chunk
from chunk_labels l
join documents d on d.position = l.document
where l.folded in (select value from json_each(:folded))
order by l.folded, l.rank, l.document, l.chunk

-- name: searched_in
select id
from chunks
where searchable
  and (:documents is null or document in (select value from json_each(:documents)))
  and (:kinds is null or kind in (select value from json_each(:kinds)))

-- name: shown_in
select id
from chunks
where parent is null
  and (:documents is null or document in (select value from json_each(:documents)))
  and (:kinds is null or kind in (select value from json_each(:kinds)))

-- name: chunks_for
-- A table or figure also holds the labels of the clauses printed beside it: the text of these comes first.
select chunk_items.chunk
from chunk_items
join chunks on chunks.id = chunk_items.chunk
where chunk_items.document = :document and chunk_items.key = :key
order by chunk_items.rank, chunks.kind in ('table', 'figure'), chunk_items.chunk

-- name: parents_of
select id, coalesce(parent, id)
from chunks
where id in (select value from json_each(:ids))

-- name: searched_with_status
-- A place has the status of the clause that it stands in; a note, of the clause that it is a note of.
select c.id
from chunks c
join chunks p on p.id = coalesce(c.parent, c.id)
left join clauses k on k.document = p.document and k.key = coalesce(
  (select own.key from clauses own where own.document = p.document and own.key = p.key),
  (select t.clause from tables t where t.document = p.document and t.key = p.key),
  (select f.clause from figures f where f.document = p.document and f.key = p.key),
  (select f.clause from formulas f where f.document = p.document and f.key = p.key))
left join clauses above on k.kind = 'note' and above.document = k.document and above.key = k.parent
where c.searchable and coalesce(above.normative, k.normative, 1) = :normative
