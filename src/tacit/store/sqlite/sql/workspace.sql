-- followed: how far the transcript was followed
SELECT seq, chain FROM followed;

-- follow: remember that
INSERT INTO followed (number, seq, chain) VALUES (1, :seq, :chain)
ON CONFLICT (number) DO UPDATE SET seq = excluded.seq, chain = excluded.chain;

-- card: one by its id
SELECT card, state, path, titled, filled, at, digest, intended, beside, is_due, trouble FROM cards WHERE card = :card;

-- cards: all of them
SELECT card, state, path, titled, filled, at, digest, intended, beside, is_due, trouble FROM cards ORDER BY card;

-- due: those whose file may have to be written; where that failed before, last
SELECT card, state, path, titled, filled, at, digest, intended, beside, is_due, trouble FROM cards
WHERE is_due = 1 ORDER BY trouble IS NOT NULL, card;

-- beside: those whose words were put beside their file
SELECT card, state, path, titled, filled, at, digest, intended, beside, is_due, trouble FROM cards
WHERE beside IS NOT NULL ORDER BY card;

-- troubled: those whose file cannot be written
SELECT card, state, path, titled, filled, at, digest, intended, beside, is_due, trouble FROM cards
WHERE trouble IS NOT NULL ORDER BY card;

-- said_by: those whose words one of these events has said
SELECT card, state, path, titled, filled, at, digest, intended, beside, is_due, trouble FROM cards
WHERE titled IN (SELECT value FROM JSON_EACH(:events)) OR filled IN (SELECT value FROM JSON_EACH(:events))
ORDER BY card;

-- put_card: as it stands now
INSERT INTO cards (card, state, path, titled, filled, at, digest, intended, beside, is_due, trouble)
VALUES (:card, :state, :path, :titled, :filled, :at, :digest, :intended, :beside, :is_due, :trouble)
ON CONFLICT (card) DO UPDATE SET
    state = excluded.state, path = excluded.path, titled = excluded.titled, filled = excluded.filled,
    at = excluded.at, digest = excluded.digest, intended = excluded.intended, beside = excluded.beside,
    is_due = excluded.is_due, trouble = excluded.trouble;

-- holder: which card a file belongs to
SELECT card FROM cards WHERE path = :path;

-- in_folder: what was seen in one folder
SELECT name, size, modified FROM seen WHERE area = :area AND folder = :folder;

-- put_seen: a file as it is now; what it held is not known if it has changed
INSERT INTO seen (area, folder, name, stem, alike, word, size, modified, first)
VALUES (:area, :folder, :name, :stem, :alike, :word, :size, :modified, :first)
ON CONFLICT (area, folder, name) DO UPDATE SET
    alike = excluded.alike, size = excluded.size, modified = excluded.modified, digest = NULL;

-- drop_seen: a file that has gone
DELETE FROM seen WHERE area = :area AND folder = :folder AND name = :name;

-- folders: where anything was seen
SELECT DISTINCT folder FROM seen WHERE area = :area;

-- drop_folder: one that has gone
DELETE FROM seen WHERE area = :area AND folder = :folder;

-- has_documents: whether any was seen
SELECT EXISTS (SELECT 1 FROM seen WHERE area = 'documents');

-- named: the documents that one of these words may name
SELECT seen.folder, seen.name, seen.stem
FROM JSON_EACH(:words) AS told CROSS JOIN seen INDEXED BY seen_by_word
    ON seen.word = told.value AND seen.area = 'documents'
LIMIT :limit;

-- mention: somebody has named a document
UPDATE seen SET mentioned = MAX(mentioned, :at) WHERE area = 'documents' AND folder = :folder AND name = :name;

-- unread: documents of a size that others have as well, of which it is not known what they hold
SELECT folder, name, size, modified FROM seen
WHERE area = 'documents' AND digest IS NULL AND size > 0 AND size IN (
    SELECT size FROM seen WHERE area = 'documents' AND size > 0 GROUP BY size HAVING COUNT(*) > 1
) LIMIT :limit;

-- read: what a document holds, if it is still the one that was read
UPDATE seen SET digest = :digest
WHERE area = 'documents' AND folder = :folder AND name = :name AND size = :size AND modified = :modified;

-- orphaned: documents without text and extraction that nobody has named since, the oldest first
SELECT seen.folder, seen.name, seen.modified FROM seen
WHERE seen.area = 'documents' AND MAX(seen.first, seen.mentioned) <= :before AND NOT EXISTS (
    SELECT 1 FROM seen AS made INDEXED BY seen_by_stem
    WHERE made.stem = seen.stem AND made.area IN ('ocr', 'extractions')
) ORDER BY seen.first, seen.folder, seen.name LIMIT :limit;

-- stale: documents that are newer than their text: the one in a folder of the same name, else the newest
WITH texts AS MATERIALIZED (
    SELECT stem, folder, name, MAX(modified) AS modified FROM seen WHERE area = 'ocr' GROUP BY stem, folder
),
newest AS MATERIALIZED (
    SELECT stem, folder, name, MAX(modified) AS modified FROM texts GROUP BY stem
)
SELECT seen.folder, seen.name, seen.modified, COALESCE(near.folder, far.folder), COALESCE(near.name, far.name)
FROM seen
LEFT JOIN texts AS near ON near.stem = seen.stem AND near.folder = seen.folder
LEFT JOIN newest AS far ON far.stem = seen.stem
WHERE seen.area = 'documents' AND seen.modified > COALESCE(near.modified, far.modified)
ORDER BY seen.folder, seen.name LIMIT :limit;

-- same: documents that hold the same, by what they hold
SELECT digest, folder, name, modified FROM seen
WHERE area = 'documents' AND digest IN (
    SELECT digest FROM seen WHERE area = 'documents' AND digest IS NOT NULL GROUP BY digest HAVING COUNT(*) > 1
) ORDER BY digest, folder, name LIMIT :limit;

-- alike: files whose names say the same, wherever they lie
SELECT alike, folder, name, modified FROM seen
WHERE area = :area AND alike <> '' AND alike IN (
    SELECT alike FROM seen WHERE area = :area GROUP BY alike HAVING COUNT(*) > 1
) ORDER BY alike, folder, name LIMIT :limit;
