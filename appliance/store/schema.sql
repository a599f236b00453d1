-- The library: one file, written once by the builder, never changed afterwards.
-- Boxes and lines are little-endian int32 records (see rows.py); keys are Label.key.

create table meta (
  key text primary key,
  value text not null
) without rowid;

create table sources (
  path text primary key,
  sha256 text not null,
  document text not null
) without rowid;

create table documents (
  position integer primary key,
  id text not null unique,
  designation text not null,
  title text not null,
  edition text not null,
  status text not null,
  language text not null,
  sha256 text not null,
  family text not null,
  aliases text not null -- JSON array
);

create table pages (
  document integer not null references documents (position),
  number integer not null,
  width real not null,
  height real not null,
  printed text not null,
  trust text not null,
  large text not null, -- file name of the page image, '' for none
  phone text not null,
  primary key (document, number)
) without rowid;

create table clauses (
  id integer primary key,
  document integer not null references documents (position),
  key text not null,
  kind text not null,
  title text not null,
  text text not null,
  lines blob not null,
  parent text,
  level integer not null,
  boxes blob not null,
  marker text not null,
  normative integer not null,
  principle integer not null
);
create index clauses_by_key on clauses (document, key);
create index clauses_by_parent on clauses (document, parent);

create table tables (
  id integer primary key,
  document integer not null references documents (position),
  key text not null,
  title text not null,
  boxes blob not null,
  clause text,
  captioned integer not null
);
create index tables_by_key on tables (document, key);

create table cells (
  table_id integer not null references tables (id),
  position integer not null,
  grid_row integer not null,
  grid_column integer not null,
  text text not null,
  box blob not null,
  row_span integer not null,
  column_span integer not null,
  header integer not null,
  primary key (table_id, position)
) without rowid;

create table table_notes (
  table_id integer not null references tables (id),
  position integer not null,
  mark text not null,
  text text not null,
  box blob not null,
  primary key (table_id, position)
) without rowid;

create table figures (
  id integer primary key,
  document integer not null references documents (position),
  key text not null,
  title text not null,
  text text not null,
  boxes blob not null,
  clause text
);
create index figures_by_key on figures (document, key);

create table formulas (
  id integer primary key,
  document integer not null references documents (position),
  key text not null,
  text text not null,
  explanation text not null, -- the "where" list
  boxes blob not null,
  clause text
);
create index formulas_by_key on formulas (document, key);

create table terms (
  id integer primary key,
  document integer not null references documents (position),
  term text not null,
  text text not null,
  lines blob not null,
  key text not null,
  boxes blob not null,
  kind text not null,
  folded text not null
);
create index terms_by_name on terms (folded);
create index terms_by_document on terms (document);

create table reference_links (
  id integer primary key,
  document integer not null references documents (position),
  source text not null,
  start integer not null,
  stop integer not null,
  text text not null,
  kind text not null,
  boxes blob not null,
  designation text not null,
  number text not null,
  target text,
  named text, -- Reference.document as ingest wrote it
  status text not null,
  reason text not null,
  target_document integer -- position of the document that target lies in
);
create index references_from on reference_links (document, source);
create index references_to on reference_links (target_document, target);

create table problems (
  id integer primary key,
  document integer not null references documents (position),
  message text not null,
  page integer not null,
  box blob not null,
  doubt integer not null -- 1 where a printed number or sign was read but may be another
);
create index problems_by_document on problems (document);

create table chunks (
  id integer primary key, -- over all documents, in document order
  document integer not null references documents (position),
  position integer not null, -- in its document's chunks
  key text not null,
  labels text not null, -- keys, JSON array
  kind text not null,
  title text not null,
  context text not null, -- JSON array
  text text not null,
  lines blob not null,
  boxes blob not null,
  parent integer references chunks (id),
  table_row integer,
  extra text not null,
  searchable integer not null -- a child, or a parent that has none
);
create index chunks_by_document on chunks (document, position);
create index chunks_by_parent on chunks (parent);

-- item -> chunk that shows it; rank 0: the chunk is that item, 1: contains it
create table chunk_items (
  document integer not null,
  key text not null,
  rank integer not null,
  chunk integer not null,
  primary key (document, key, rank, chunk)
) without rowid;

-- folded label -> chunk that shows it; rank 0: the chunk is that item, 1: contains it, 2: by its bare number
create table chunk_labels (
  folded text not null,
  rank integer not null,
  document integer not null,
  chunk integer not null,
  primary key (folded, document, rank, chunk)
) without rowid;

-- one row for each chunk that is searched (child) or shown (parent); text is not kept twice
create virtual table child_words using fts5 (
  label, title, text, exact, content = '', tokenize = 'codewords'
);
create virtual table parent_words using fts5 (
  label, title, text, exact, content = '', tokenize = 'codewords'
);

-- index terms of child_words with the number of chunks that hold them
create table vocabulary (
  term text primary key,
  chunks integer not null,
  word integer not null -- 0: only ever a name (label, designation, symbol, value with unit)
) without rowid;

-- words of the searched chunks as printed (folded, not stemmed), for putting misspelt ones right
create table spellings (
  word text primary key,
  chunks integer not null
) without rowid;

create table vectors (
  chunk integer primary key references chunks (id),
  pooled blob not null, -- float16[dimension], unit length
  tokens blob not null -- int8[n, token_dimension]
);

-- what is spoken of: every item that stands above, and what no item is (parameters, values, concepts, ...).
-- PART_OF is the column holder, REFERENCES the table reference_links; neither is kept among the edges.
create table nodes (
  id integer primary key,
  kind text not null,
  document integer not null, -- position, -1 for what several documents share
  key text not null,
  name text not null,
  holder integer references nodes (id)
);
create unique index nodes_by_key on nodes (document, key, kind);
create index nodes_by_holder on nodes (holder);

-- folded names of what people may ask for by name -> node
create table node_names (
  folded text not null,
  node integer not null references nodes (id),
  primary key (folded, node)
) without rowid;

create table quantities (
  node integer primary key references nodes (id),
  bound text not null,
  low real not null,
  high real not null,
  unit text not null,
  dimension text not null,
  factor real not null -- to the base units of the dimension
);

create table edges (
  id integer primary key, -- Edge.number: made of what it says and of the words that prove it
  source integer not null references nodes (id),
  kind text not null,
  target integer not null references nodes (id),
  confidence real not null,
  rule text not null,
  state text not null,
  document integer, -- of the proof
  key text,
  start integer not null,
  stop integer not null,
  quote text, -- null where the characters of the clause say it
  boxes blob not null
);
create index edges_from on edges (source, kind);
create index edges_to on edges (target, kind);
create index edges_to_review on edges (state) where state <> 'accepted';

-- searched chunk -> node that it speaks of; rank 0: made of this text, 1: in its headings, 2: in its text
create table chunk_entities (
  chunk integer not null references chunks (id),
  node integer not null references nodes (id),
  rank integer not null,
  primary key (chunk, node)
) without rowid;
create index chunk_entities_by_node on chunk_entities (node, rank, chunk);
