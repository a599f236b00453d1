-- What a vision model said of figures. `key` names the drawing with the model, `said` is JSON.

CREATE TABLE described (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  at REAL NOT NULL,
  said TEXT NOT NULL
) STRICT;
