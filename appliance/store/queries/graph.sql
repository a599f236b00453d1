-- name: node
select n.id, n.kind, coalesce(d.id, ''), n.key, n.name
from nodes n
left join documents d on d.position = n.document
where n.document = :document and n.key = :key and n.kind = :kind

-- name: nodes_at
select n.id, n.kind, coalesce(d.id, ''), n.key, n.name
from nodes n
left join documents d on d.position = n.document
where n.document = :document and n.key = :key

-- name: nodes_named
select m.folded, n.kind, coalesce(d.id, ''), n.key, n.name
from node_names m
join nodes n on n.id = m.node
left join documents d on d.position = n.document
where m.folded in (select value from json_each(:folded))
order by m.folded, n.kind, n.document, n.key

-- name: neighbours_out
select
  n.kind, coalesce(d.id, ''), n.key, n.name, e.id, e.kind, e.confidence, e.rule, e.state,
  p.id, e.key, e.start, e.stop, coalesce(e.quote, substr(c.text, e.start + 1, e.stop - e.start)), e.boxes, c.lines
from edges e
join nodes n on n.id = e.target
left join documents d on d.position = n.document
left join documents p on p.position = e.document
left join clauses c on c.document = e.document and c.key = e.key and e.stop > 0
where e.source = :node and (:kinds is null or e.kind in (select value from json_each(:kinds)))
union all
select
  h.kind, coalesce(d.id, ''), h.key, h.name, null, 'PART_OF', 1.0, 'place', 'accepted',
  null, null, 0, 0, '', x'', x''
from nodes n
join nodes h on h.id = n.holder
left join documents d on d.position = h.document
where n.id = :node and (:kinds is null or 'PART_OF' in (select value from json_each(:kinds)))
order by 6, 1, 2, 3, 5

-- name: neighbours_in
select
  n.kind, coalesce(d.id, ''), n.key, n.name, e.id, e.kind, e.confidence, e.rule, e.state,
  p.id, e.key, e.start, e.stop, coalesce(e.quote, substr(c.text, e.start + 1, e.stop - e.start)), e.boxes, c.lines
from edges e
join nodes n on n.id = e.source
left join documents d on d.position = n.document
left join documents p on p.position = e.document
left join clauses c on c.document = e.document and c.key = e.key and e.stop > 0
where e.target = :node and (:kinds is null or e.kind in (select value from json_each(:kinds)))
union all
select
  n.kind, coalesce(d.id, ''), n.key, n.name, null, 'PART_OF', 1.0, 'place', 'accepted',
  null, null, 0, 0, '', x'', x''
from nodes n
left join documents d on d.position = n.document
where n.holder = :node and (:kinds is null or 'PART_OF' in (select value from json_each(:kinds)))
order by 6, 1, 2, 3, 5

-- name: edges_of
select
  s.kind, coalesce(sd.id, ''), s.key, s.name, t.kind, coalesce(td.id, ''), t.key, t.name,
  e.id, e.kind, e.confidence, e.rule, e.state,
  p.id, e.key, e.start, e.stop, coalesce(e.quote, substr(c.text, e.start + 1, e.stop - e.start)), e.boxes, c.lines
from edges e
join nodes s on s.id = e.source
join nodes t on t.id = e.target
left join documents sd on sd.position = s.document
left join documents td on td.position = t.document
left join documents p on p.position = e.document
left join clauses c on c.document = e.document and c.key = e.key and e.stop > 0
where (:ids is null or e.id in (select value from json_each(:ids)))
  and (:state is null or e.state = :state)
  and (:document is null or e.document = :document)
order by e.document, coalesce(c.id, 0), e.key, e.start, s.key, e.kind, t.key, e.id

-- name: values_of
select n.kind, coalesce(d.id, ''), n.key, n.name, q.bound, q.low, q.high, q.unit, q.dimension, q.factor
from quantities q
join nodes n on n.id = q.node
left join documents d on d.position = n.document
where q.node in (select value from json_each(:nodes))
order by q.node

-- name: chunks_of
select chunk, rank
from chunk_entities
where node = :node
order by rank, chunk

-- name: doubtful_references
select
  d.id, r.source, r.start, r.stop, r.text, r.kind, r.boxes, r.designation, r.number, r.target, r.named,
  r.status, r.reason
from reference_links r
join documents d on d.position = r.document
where (r.status = 'unresolved' or (r.status = 'resolved' and r.reason <> ''))
  and (:document is null or r.document = :document)
order by r.id
