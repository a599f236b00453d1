-- Figures of the service, one row for each hour of it and name. `id` ascends in the order of writing and
-- is what the rows are dropped by; `at` may be the time of a wrong clock.

CREATE TABLE figures (
  id INTEGER PRIMARY KEY,
  boot TEXT NOT NULL,       -- one run of the server
  hour INTEGER NOT NULL,    -- of that run, from 0
  name TEXT NOT NULL,
  at REAL NOT NULL,
  count INTEGER NOT NULL,
  most REAL NOT NULL,
  buckets TEXT NOT NULL,    -- JSON: how many values fell into each bucket
  UNIQUE (boot, hour, name)
) STRICT;
