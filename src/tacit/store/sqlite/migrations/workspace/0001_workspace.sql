-- What a workspace is made of beside its memory: how far the transcript was followed, which card lies in which
-- file, and what was seen in its folders. All of it can be made again from the transcript and the files.

CREATE TABLE followed (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    seq INTEGER NOT NULL,
    chain BLOB NOT NULL
) STRICT;

-- `titled` and `filled` are the events that said the title and the blocks: no words are kept here. `digest` is what
-- the card last said to its file, `intended` what it is about to say, `beside` where that lies if the file was
-- changed by hand.
CREATE TABLE cards (
    card TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
    path TEXT UNIQUE,
    titled TEXT,
    filled TEXT,
    at INTEGER NOT NULL,
    digest TEXT,
    intended TEXT,
    beside TEXT,
    is_due INTEGER NOT NULL CHECK (is_due IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX cards_due ON cards (card) WHERE is_due = 1;
CREATE INDEX cards_beside ON cards (card) WHERE beside IS NOT NULL;

CREATE TABLE seen (
    area TEXT NOT NULL,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    stem TEXT NOT NULL,
    alike TEXT NOT NULL,
    word TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    first INTEGER NOT NULL,
    mentioned INTEGER NOT NULL DEFAULT 0,
    digest TEXT,
    PRIMARY KEY (area, folder, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX seen_by_stem ON seen (stem, area);
CREATE INDEX seen_alike ON seen (area, folder, alike);
CREATE INDEX seen_by_word ON seen (word) WHERE area = 'documents';
CREATE INDEX seen_by_size ON seen (size) WHERE area = 'documents';
CREATE INDEX seen_by_digest ON seen (digest) WHERE digest IS NOT NULL;
