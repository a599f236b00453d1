-- name: add gap
INSERT INTO gaps (request, question, folded, evidence, library, at, last, details)
VALUES (:request, :question, :folded, :evidence, :library, :at, :at, :details)
ON CONFLICT (folded, library) DO UPDATE
SET asked = asked + 1, last = excluded.last, request = excluded.request, evidence = excluded.evidence

-- name: add feedback
INSERT INTO feedback (request, question, evidence, library, at, verdict, comment, details)
VALUES (:request, :question, :evidence, :library, :at, :verdict, :comment, :details)

-- name: add correction
INSERT INTO corrections (request, question, evidence, library, at, comment, details)
VALUES (:request, :question, :evidence, :library, :at, :comment, :details)

-- name: gaps
SELECT id, request, question, evidence, library, at, details, asked, last FROM gaps ORDER BY last DESC, id DESC

-- name: feedback
SELECT id, request, question, evidence, library, at, details, verdict, comment FROM feedback ORDER BY id DESC

-- name: corrections
SELECT id, request, question, evidence, library, at, details, comment FROM corrections ORDER BY id DESC

-- name: answers
SELECT id, request, question, evidence, library, at, details, sha256, note FROM answers ORDER BY id DESC

-- name: clear gaps
DELETE FROM gaps

-- name: clear feedback
DELETE FROM feedback

-- name: clear corrections
DELETE FROM corrections

-- name: clear answers
DELETE FROM answers

-- name: drop gaps
DELETE FROM gaps WHERE id IN (SELECT id FROM gaps ORDER BY last, id LIMIT :rows)

-- name: drop feedback
DELETE FROM feedback WHERE id IN (SELECT id FROM feedback ORDER BY id LIMIT :rows)

-- name: drop corrections
DELETE FROM corrections WHERE id IN (SELECT id FROM corrections ORDER BY id LIMIT :rows)

-- name: note dropped
INSERT INTO dropped (kind, rows, last) VALUES (:kind, :rows, :at)
ON CONFLICT (kind) DO UPDATE SET rows = rows + excluded.rows, last = excluded.last

-- name: dropped
SELECT kind, rows FROM dropped ORDER BY kind

-- name: counts
SELECT 'gaps', count(*) FROM gaps UNION ALL SELECT 'feedback', count(*) FROM feedback
UNION ALL SELECT 'corrections', count(*) FROM corrections UNION ALL SELECT 'answers', count(*) FROM answers

-- name: keep figure
INSERT INTO figures (boot, hour, name, at, count, most, buckets) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (boot, hour, name) DO UPDATE
SET at = excluded.at, count = excluded.count, most = excluded.most, buckets = excluded.buckets

-- name: drop figures
DELETE FROM figures WHERE id < (
  SELECT min(id) FROM figures
  WHERE (boot, hour) IN (
    SELECT boot, hour FROM figures GROUP BY boot, hour ORDER BY min(id) DESC LIMIT :hours
  )
)

-- name: figures
SELECT boot, hour, name, at, count, most, buckets FROM figures ORDER BY id

-- name: save answer
INSERT INTO answers (request, question, evidence, library, at, sha256, kept, note, noted)
VALUES (:request, :question, :evidence, :library, :at, :sha256, :kept, :note, :at)
ON CONFLICT (request) DO NOTHING

-- name: saved answers
SELECT request, at, kept, note FROM answers WHERE kept <> '' ORDER BY id DESC LIMIT :most OFFSET :first

-- name: saved answer
SELECT request, at, kept, note FROM answers WHERE request = :key AND kept <> ''

-- name: note answer
UPDATE answers SET note = :note, noted = :at WHERE request = :key

-- name: remove answer
DELETE FROM answers WHERE request = :key

-- name: count answers
SELECT count(*) FROM answers

-- name: described
SELECT said FROM described WHERE key = :key

-- name: keep described
INSERT INTO described (key, at, said) VALUES (:key, :at, :said)
ON CONFLICT (key) DO UPDATE SET at = excluded.at, said = excluded.said

-- name: drop described
DELETE FROM described WHERE id <= (SELECT max(id) FROM described) - :most
