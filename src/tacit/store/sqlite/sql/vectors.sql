-- let_go: what a passage meant, before it is written anew; a replacement would not be noticed
DELETE FROM vectors
WHERE passage = (SELECT number FROM passages WHERE number = :number AND digest = :digest);

-- put: what a passage means
INSERT INTO vectors (passage, model, vector)
SELECT number, :model, :vector FROM passages WHERE number = :number AND digest = :digest;

-- waiting: passages whose meaning under a model is not known yet, the newest first
SELECT number, layer, subject, role, digest FROM passages
WHERE role IN ('user', 'assistant', 'memory', 'summary')
    AND NOT EXISTS (SELECT 1 FROM vectors WHERE passage = number AND model = :model)
ORDER BY layer = 'message', number DESC LIMIT :limit;

-- of_words: what a passage of these words means
SELECT vectors.vector FROM vectors JOIN passages ON passages.number = vectors.passage
WHERE passages.digest = :digest AND vectors.model = :model LIMIT 1;

-- counted: how many passages can mean something, and of how many a model has said it
SELECT
    (SELECT COUNT(*) FROM passages WHERE role IN ('user', 'assistant', 'memory', 'summary')),
    (SELECT COUNT(*) FROM vectors WHERE model = :model);

-- last: the passage that came last
SELECT MAX(number) FROM passages;

-- stamp: which file this is, and how often vectors of a model have gone from it
SELECT GROUP_CONCAT(number) FROM (
    SELECT number FROM progress WHERE name IN ('generation', 'vectors dropped ' || :model) ORDER BY name
);

-- behind: vectors of a model that came later, in order
SELECT serial, passage, vector FROM vectors
WHERE serial > :serial AND model = :model ORDER BY serial;

-- of_passages: the vectors of these passages
SELECT passage, vector FROM vectors
WHERE model = :model AND passage IN (SELECT value FROM JSON_EACH(:numbers));

-- kept: all that is known of a model, by the words it was made of
SELECT passages.digest, vectors.model, vectors.vector
FROM vectors JOIN passages ON passages.number = vectors.passage;

-- put_by_digest: what passages of these words mean
INSERT OR IGNORE INTO vectors (passage, model, vector)
SELECT number, :model, :vector FROM passages
WHERE digest = :digest AND role IN ('user', 'assistant', 'memory', 'summary');
