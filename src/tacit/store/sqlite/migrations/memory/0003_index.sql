-- One index for all that can be found: memories, messages of the transcript, summaries of sessions.
-- The tokens are those of the analyser; they are parted at spaces and nowhere else.

DROP TRIGGER words_added;
DROP TRIGGER words_removed;
DROP TRIGGER words_changed;
DROP TABLE word_index;
DROP TABLE words;

CREATE TABLE passages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    layer TEXT NOT NULL CHECK (layer IN ('memory', 'message', 'summary')),
    subject TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT,
    project TEXT,
    role TEXT NOT NULL,
    speaker TEXT NOT NULL,
    place INTEGER,
    at INTEGER NOT NULL,
    importance INTEGER NOT NULL,
    hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
    size INTEGER NOT NULL,
    tokens TEXT NOT NULL,
    digest BLOB NOT NULL,
    UNIQUE (layer, subject)
) STRICT;

CREATE INDEX passages_by_session ON passages (session, place);
CREATE INDEX passages_by_digest ON passages (digest);
CREATE INDEX passages_by_time ON passages (at);
CREATE INDEX passages_hidden ON passages (number) WHERE hidden = 1;

CREATE VIRTUAL TABLE word_index USING fts5 (
    tokens, content = 'passages', content_rowid = 'number', detail = full,
    tokenize = "ascii tokenchars '_./:-\@#+'"
);

CREATE TRIGGER passages_added AFTER INSERT ON passages
BEGIN
    INSERT INTO word_index (rowid, tokens) VALUES (new.number, new.tokens);
END;

CREATE TRIGGER passages_removed AFTER DELETE ON passages
BEGIN
    INSERT INTO word_index (word_index, rowid, tokens) VALUES ('delete', old.number, old.tokens);
END;

CREATE TRIGGER passages_changed AFTER UPDATE OF tokens ON passages
BEGIN
    INSERT INTO word_index (word_index, rowid, tokens) VALUES ('delete', old.number, old.tokens);
    INSERT INTO word_index (rowid, tokens) VALUES (new.number, new.tokens);
END;

-- how much there is, so that no question has to count it
INSERT INTO progress (name, number) VALUES ('passages', 0), ('tokens', 0);

CREATE TRIGGER passages_counted AFTER INSERT ON passages
BEGIN
    UPDATE progress SET number = number + 1 WHERE name = 'passages';
    UPDATE progress SET number = number + new.size WHERE name = 'tokens';
END;

CREATE TRIGGER passages_uncounted AFTER DELETE ON passages
BEGIN
    UPDATE progress SET number = number - 1 WHERE name = 'passages';
    UPDATE progress SET number = number - old.size WHERE name = 'tokens';
END;

CREATE TRIGGER passages_recounted AFTER UPDATE OF size ON passages
BEGIN
    UPDATE progress SET number = number + new.size - old.size WHERE name = 'tokens';
END;

-- every token there is, with the number of passages that hold it
CREATE TABLE terms (
    number INTEGER PRIMARY KEY,
    term TEXT NOT NULL UNIQUE,
    passages INTEGER NOT NULL
) STRICT;

-- the same by three letters at a time: for what is misspelt, and for parts of words
CREATE VIRTUAL TABLE term_index USING fts5 (
    term, content = 'terms', content_rowid = 'number', tokenize = 'trigram'
);

CREATE TRIGGER terms_added AFTER INSERT ON terms
BEGIN
    INSERT INTO term_index (rowid, term) VALUES (new.number, new.term);
END;

CREATE TRIGGER terms_removed AFTER DELETE ON terms
BEGIN
    INSERT INTO term_index (term_index, rowid, term) VALUES ('delete', old.number, old.term);
END;

-- what the index itself counts, to check the terms by
CREATE VIRTUAL TABLE word_counts USING fts5vocab (word_index, row);

-- what a passage means, by the model that says so; half precision, which moves no rank
CREATE TABLE vectors (
    serial INTEGER PRIMARY KEY AUTOINCREMENT,
    passage INTEGER NOT NULL UNIQUE REFERENCES passages (number) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT;

-- whoever holds vectors in mind reads them anew when one has gone
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors
BEGIN
    INSERT INTO progress (name, number) VALUES ('vectors dropped ' || old.model, 1)
    ON CONFLICT (name) DO UPDATE SET number = number + 1;
END;

-- and when the whole file has become another
INSERT INTO progress (name, number) VALUES ('generation', RANDOM());
