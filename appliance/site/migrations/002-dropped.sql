-- How many rows made room for younger ones: what is no longer there is never dropped in silence.

CREATE TABLE dropped (
  kind TEXT PRIMARY KEY,
  rows INTEGER NOT NULL,
  last REAL NOT NULL
) STRICT, WITHOUT ROWID;
