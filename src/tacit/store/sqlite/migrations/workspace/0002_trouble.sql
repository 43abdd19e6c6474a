-- Why the file of a card cannot be written, in the words of the system; nothing if it can. Never words of a card.
ALTER TABLE cards ADD COLUMN trouble TEXT;

CREATE INDEX cards_troubled ON cards (card) WHERE trouble IS NOT NULL;
