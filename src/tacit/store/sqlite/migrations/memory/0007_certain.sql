-- Candidates, and what a memory stands on: whether something supports it, how often it was said, whether the
-- owner has accepted it. Only the CHECK of a column changes: no row has to be written for that.

ALTER TABLE memories ADD COLUMN is_supported INTEGER NOT NULL DEFAULT 1 CHECK (is_supported IN (0, 1));
ALTER TABLE memories ADD COLUMN is_accepted INTEGER NOT NULL DEFAULT 0 CHECK (is_accepted IN (0, 1));
ALTER TABLE memories ADD COLUMN sessions INTEGER NOT NULL DEFAULT 1;
ALTER TABLE evidence ADD COLUMN is_supported INTEGER NOT NULL DEFAULT 1 CHECK (is_supported IN (0, 1));
ALTER TABLE evidence ADD COLUMN is_certain INTEGER NOT NULL DEFAULT 1 CHECK (is_certain IN (0, 1));

PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = REPLACE(sql, '''forgotten'', ''archived'')', '''forgotten'', ''archived'', ''candidate'')')
WHERE type = 'table' AND name = 'memories';
PRAGMA writable_schema = RESET;
