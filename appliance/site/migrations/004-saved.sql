-- What a saved answer said, and what people note on it. `kept` is the answer as JSON, "" in rows of before.

ALTER TABLE answers ADD COLUMN kept TEXT NOT NULL DEFAULT '';
ALTER TABLE answers ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE answers ADD COLUMN noted REAL NOT NULL DEFAULT 0;  -- when the note was written last
