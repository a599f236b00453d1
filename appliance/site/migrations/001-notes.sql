-- What people on site produce. A row names the request, the question, what was shown and the library
-- that was asked; it never names who asked, nor from which address. Times are seconds since 1970, UTC.

CREATE TABLE gaps (           -- a question that the documents loaded did not answer
  id INTEGER PRIMARY KEY,     -- ascending: the smallest is the oldest
  request TEXT NOT NULL,
  question TEXT NOT NULL,
  folded TEXT NOT NULL,       -- the question in one spelling of spaces and case
  evidence TEXT NOT NULL,     -- JSON: the places shown as nearest
  library TEXT NOT NULL,      -- its version
  at REAL NOT NULL,           -- when it was asked first
  last REAL NOT NULL,
  asked INTEGER NOT NULL DEFAULT 1,
  details TEXT NOT NULL DEFAULT '{}',
  UNIQUE (folded, library)
) STRICT;

CREATE TABLE feedback (       -- what a person says of an answer
  id INTEGER PRIMARY KEY,
  request TEXT NOT NULL,
  question TEXT NOT NULL,
  evidence TEXT NOT NULL,
  library TEXT NOT NULL,
  at REAL NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('helpful', 'wrong', 'missing')),
  comment TEXT NOT NULL,
  details TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE TABLE corrections (    -- what a person says should stand at a place
  id INTEGER PRIMARY KEY,
  request TEXT NOT NULL,
  question TEXT NOT NULL,
  evidence TEXT NOT NULL,
  library TEXT NOT NULL,
  at REAL NOT NULL,
  comment TEXT NOT NULL,
  details TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE TABLE answers (        -- an answer that a person kept
  id INTEGER PRIMARY KEY,
  request TEXT NOT NULL UNIQUE,
  question TEXT NOT NULL,
  evidence TEXT NOT NULL,     -- JSON: the places cited
  library TEXT NOT NULL,
  at REAL NOT NULL,
  sha256 TEXT NOT NULL,       -- of the answer as JSON
  details TEXT NOT NULL DEFAULT '{}'
) STRICT;
