-- held: one passage, as far as it is compared with what is to be written
SELECT number, digest, tokens FROM passages WHERE layer = :layer AND subject = :subject;

-- next_place: where the next message of a session stands in it
SELECT COALESCE(MAX(place), -1) + 1 FROM passages WHERE session = :session AND layer = 'message';

-- add: a passage
INSERT INTO passages
(layer, subject, session, turn, project, role, speaker, place, at, importance, hidden, size, tokens, digest)
VALUES
(:layer, :subject, :session, :turn, :project, :role, :speaker, :place, :at, :importance, :hidden, :size, :tokens,
:digest)
RETURNING number;

-- change: a passage that says something else now
UPDATE passages SET
    session = :session, turn = :turn, project = :project, role = :role, speaker = :speaker, at = :at,
    importance = :importance, hidden = :hidden, size = :size, tokens = :tokens, digest = :digest
WHERE number = :number;

-- place: a passage that says the same, perhaps elsewhere
UPDATE passages SET
    session = :session, turn = :turn, project = :project, role = :role, speaker = :speaker, at = :at,
    importance = :importance, hidden = :hidden
WHERE number = :number
    AND (session, turn, project, role, speaker, at, importance, hidden)
    IS NOT (:session, :turn, :project, :role, :speaker, :at, :importance, :hidden);

-- remove: a passage
DELETE FROM passages WHERE number = :number;

-- forget_vector: of a passage that says something else now
DELETE FROM vectors WHERE passage = :number;

-- rename: a memory that has another id now
UPDATE passages SET subject = :new WHERE layer = :layer AND subject = :subject;

-- count: how many passages more, or less, hold each of these tokens
INSERT INTO terms (term, passages) SELECT key, value FROM JSON_EACH(:terms) WHERE TRUE
ON CONFLICT (term) DO UPDATE SET passages = passages + excluded.passages;

-- let_go: tokens that nothing holds any more
DELETE FROM terms WHERE term IN (SELECT value FROM JSON_EACH(:terms)) AND passages <= 0;

-- frequencies: how many passages hold each of these tokens
SELECT term, passages FROM terms WHERE term IN (SELECT value FROM JSON_EACH(:terms));

-- beginning: tokens that begin so, the most frequent first
SELECT term, passages FROM terms WHERE term > :term AND term < :beyond
ORDER BY passages DESC, term LIMIT :limit;

-- alike: tokens that share groups of three letters, the most alike first
SELECT term FROM term_index WHERE term_index MATCH :query ORDER BY rank LIMIT :limit;

-- words: passages that hold any of these tokens, the best first
SELECT rowid, -BM25(word_index) FROM word_index
WHERE word_index MATCH :query ORDER BY rank LIMIT :limit;

-- newest_words: passages that hold any of these tokens, the newest first
SELECT rowid, 0.0 FROM word_index WHERE word_index MATCH :query ORDER BY rowid DESC LIMIT :limit;

-- words_among: the same, of these passages alone
SELECT rowid, -BM25(word_index) FROM word_index
WHERE word_index MATCH :query AND rowid IN (SELECT value FROM JSON_EACH(:numbers))
ORDER BY rank LIMIT :limit;

-- within: which passages fit, of these or of all, the newest first
SELECT passages.number
FROM passages
LEFT JOIN memories ON passages.layer = 'memory' AND memories.id = passages.subject
WHERE (:numbers IS NULL OR passages.number IN (SELECT value FROM JSON_EACH(:numbers)))
    AND (:layers IS NULL OR passages.layer IN (SELECT value FROM JSON_EACH(:layers)))
    AND (
        :projects IS NULL OR passages.project IN (SELECT value FROM JSON_EACH(:projects))
        OR (:or_everywhere AND passages.project IS NULL)
    )
    AND (:is_everywhere IS NULL OR (passages.project IS NULL) = :is_everywhere)
    AND (:since IS NULL OR passages.at >= :since)
    AND (:until IS NULL OR passages.at < :until)
    AND (:kinds IS NULL OR memories.kind IN (SELECT value FROM JSON_EACH(:kinds)))
    AND NOT EXISTS (
        SELECT 1 FROM JSON_EACH(:tags) AS asked
        WHERE NOT EXISTS (SELECT 1 FROM tags WHERE tags.memory = memories.id AND tags.tag = asked.value)
    )
    AND (
        passages.layer <> 'memory'
        OR memories.state IN (SELECT value FROM JSON_EACH(:states))
    )
    AND (
        :as_of IS NULL OR CASE passages.layer
            WHEN 'memory'
                THEN memories.valid_from <= :as_of AND (memories.valid_to IS NULL OR memories.valid_to > :as_of)
            ELSE passages.at <= :as_of
        END
    )
ORDER BY passages.at DESC, passages.number DESC LIMIT :limit;

-- standing: which of these hold, and stand in such layers and projects; what `within` says, without a scan
SELECT number FROM passages
WHERE number IN (SELECT value FROM JSON_EACH(:numbers)) AND hidden = 0
    AND (:layers IS NULL OR layer IN (SELECT value FROM JSON_EACH(:layers)))
    AND (
        :projects IS NULL OR project IN (SELECT value FROM JSON_EACH(:projects))
        OR (:or_everywhere AND project IS NULL)
    )
    AND (:is_everywhere IS NULL OR (project IS NULL) = :is_everywhere);

-- hidden: memories that no longer hold
SELECT number FROM passages WHERE hidden = 1 LIMIT :limit;

-- gone: which of these are memories that no longer hold
SELECT number FROM passages WHERE hidden = 1 AND number IN (SELECT value FROM JSON_EACH(:numbers));

-- passages: these, as they stand in the index
SELECT number, layer, subject, session, turn, project, role, speaker, place, at, size, tokens, importance
FROM passages WHERE number IN (SELECT value FROM JSON_EACH(:numbers));

-- prompts: the user's messages that open these turns of a session
SELECT number FROM passages
WHERE session = :session AND place IS NOT NULL AND layer = 'message' AND role = 'user'
    AND turn IN (SELECT value FROM JSON_EACH(:turns))
ORDER BY number;

-- stats: how many passages there are, and of how many tokens together
SELECT
    (SELECT number FROM progress WHERE name = 'passages'),
    (SELECT number FROM progress WHERE name = 'tokens');

-- layers: how many passages each layer has
SELECT layer, COUNT(*) FROM passages GROUP BY layer ORDER BY layer;

-- unfound: memories that are in no index yet
SELECT id FROM memories WHERE id NOT IN (SELECT subject FROM passages WHERE layer = 'memory') ORDER BY number;

-- unfound_summaries: summaries that are in no index yet
SELECT session FROM summaries WHERE session NOT IN (SELECT subject FROM passages WHERE layer = 'summary')
ORDER BY session;

-- empty: before all is indexed anew
DELETE FROM passages;

-- empty_terms: with the passages
DELETE FROM terms;

-- check_words: fails unless the index holds exactly the tokens
INSERT INTO word_index (word_index, rank) VALUES ('integrity-check', 1);

-- check_terms: fails unless the index of the terms holds exactly these
INSERT INTO term_index (term_index, rank) VALUES ('integrity-check', 1);

-- drift: how many memories have no passage, and passages of memories no memory
SELECT
    (SELECT COUNT(*) FROM memories WHERE id NOT IN (SELECT subject FROM passages WHERE layer = 'memory'))
    + (
        SELECT COUNT(*) FROM passages
        WHERE layer = 'memory' AND subject NOT IN (SELECT id FROM memories)
    )
    + (SELECT COUNT(*) FROM vectors WHERE passage NOT IN (SELECT number FROM passages))
    + (SELECT number <> (SELECT COUNT(*) FROM passages) FROM progress WHERE name = 'passages')
    + (SELECT number <> (SELECT COALESCE(SUM(size), 0) FROM passages) FROM progress WHERE name = 'tokens');

-- astray: how many passages stand elsewhere than what they are about
SELECT
    (
        SELECT COUNT(*) FROM passages JOIN memories ON passages.layer = 'memory' AND memories.id = passages.subject
        WHERE (
            memories.project, memories.session, memories.turn, memories.created_at, memories.importance,
            memories.state NOT IN ('active', 'candidate')
        )
        IS NOT (
            passages.project, passages.session, passages.turn, passages.at, passages.importance, passages.hidden
        )
    )
    + (
        SELECT COUNT(*) FROM summaries LEFT JOIN passages
            ON passages.layer = 'summary' AND passages.subject = summaries.session
        WHERE (summaries.project, summaries.updated_at) IS NOT (passages.project, passages.at)
    )
    + (SELECT COUNT(*) FROM passages WHERE layer = 'summary' AND subject NOT IN (SELECT session FROM summaries));

-- miscounted: how many terms the index counts otherwise, or does not have at all
SELECT
    (
        SELECT COUNT(*) FROM terms LEFT JOIN word_counts ON word_counts.term = terms.term
        WHERE word_counts.doc IS NOT terms.passages
    )
    + (SELECT COUNT(*) FROM word_counts WHERE term NOT IN (SELECT term FROM terms));

-- sayings: what memories say, and the digest of what their passages are made of
SELECT memories.content, memories.tags, passages.digest
FROM passages JOIN memories ON memories.id = passages.subject WHERE passages.layer = 'memory';

-- words_anew: make the index again, so that nothing deleted is left in it
INSERT INTO word_index (word_index) VALUES ('rebuild');

-- terms_anew: the same for the terms
INSERT INTO term_index (term_index) VALUES ('rebuild');
