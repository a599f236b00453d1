-- name: meta
select key, value from meta

-- name: sources
select path, sha256, document from sources order by path

-- name: documents
select
  d.position, d.id, d.designation, d.title, d.edition, d.status, d.language, d.sha256, d.family, d.aliases,
  (select count(*) from pages where document = d.position),
  (select count(*) from clauses where document = d.position),
  (select count(*) from tables where document = d.position),
  (select count(*) from figures where document = d.position),
  (select count(*) from reference_links where document = d.position),
  (select count(*) from problems where document = d.position)
from documents d
order by d.position

-- name: pages
select number, width, height, printed, trust, large, phone
from pages
where document = :document and (:number is null or number = :number)
order by number

-- name: clauses
select key, kind, title, text, lines, parent, level, boxes, marker, normative, principle
from clauses
where document = :document and (:key is null or key = :key)
order by id

-- name: children
select key, kind, title, text, lines, parent, level, boxes, marker, normative, principle
from clauses
where document = :document and parent is :parent
order by id

-- name: clauses_around
select key, kind, title, text, lines, parent, level, boxes, marker, normative, principle, id < here.at
from clauses, (select min(id) as at from clauses where document = :document and key = :key) as here
where document = :document and id <> here.at
  and id between here.at - :reach and here.at + :reach
order by id

-- name: tables
select id, key, title, boxes, clause, captioned
from tables
where document = :document and (:key is null or key = :key) and (:clause is null or clause = :clause)
order by id

-- name: cells
select grid_row, grid_column, text, box, row_span, column_span, header
from cells
where table_id = :table_id
order by position

-- name: table_notes
select mark, text, box
from table_notes
where table_id = :table_id
order by position

-- name: figures
select key, title, text, boxes, clause
from figures
where document = :document and (:key is null or key = :key) and (:clause is null or clause = :clause)
order by id

-- name: formulas
select key, text, explanation, boxes, clause
from formulas
where document = :document and (:key is null or key = :key) and (:clause is null or clause = :clause)
order by id

-- name: terms
select term, text, lines, key, boxes, kind
from terms
where document = :document
order by id

-- name: references_from
select
  source, start, stop, text, kind, boxes, designation, number, target, named, status, reason
from reference_links
where document = :document and (:source is null or source = :source)
order by id

-- name: references_to
select
  d.id, r.source, r.start, r.stop, r.text, r.kind, r.boxes, r.designation, r.number, r.target, r.named,
  r.status, r.reason
from reference_links r
join documents d on d.position = r.document
where r.target_document = :document and r.target = :target
order by r.id

-- name: problems
select message, page, box, doubt
from problems
where document = :document
order by id

-- name: contents
select key, kind, title, parent, level, boxes
from clauses
where document = :document
order by id

-- name: references_from_any
select
  source, start, stop, text, kind, boxes, designation, number, target, named, status, reason
from reference_links
where document = :document and source in (select value from json_each(:sources))
order by id

-- name: hosts
select key, clause from tables where document = :document and clause is not null
  and (key in (select value from json_each(:keys)) or clause in (select value from json_each(:keys)))
union all
select key, clause from figures where document = :document and clause is not null
  and (key in (select value from json_each(:keys)) or clause in (select value from json_each(:keys)))

-- name: bearers
-- Beside the clauses (see contents).
select key, 'table', title, clause, boxes from tables where document = :document
union all
select key, 'figure', title, clause, boxes from figures where document = :document
union all
select key, 'formula', '', clause, boxes from formulas where document = :document
