-- put: a turn that waits for a model; one that waits already waits as it is now
INSERT INTO unasked (session, turn, upto, at, is_urgent, tries, due, reason, is_dead)
VALUES (:session, :turn, :upto, :at, :is_urgent, :tries, :due, :reason, :is_dead)
ON CONFLICT (session, turn) DO UPDATE SET
    upto = excluded.upto, at = excluded.at, is_urgent = excluded.is_urgent, tries = excluded.tries,
    due = excluded.due, reason = excluded.reason, is_dead = excluded.is_dead;

-- drop: a turn that waits no more, unless more of it has come since
DELETE FROM unasked WHERE session = :session AND turn = :turn AND upto <= :upto;

-- waiting: those that may be asked about now, by session, in order; what no clock could have put off counts as due
SELECT session, turn, upto, at, is_urgent, tries, due, reason, is_dead FROM unasked
WHERE is_dead = 0 AND (due <= :now OR due > :latest) ORDER BY session, upto;

-- listed: all of them, the oldest first
SELECT session, turn, upto, at, is_urgent, tries, due, reason, is_dead FROM unasked
ORDER BY upto LIMIT :limit;

-- fail: asking failed, to be tried again when due, or never
UPDATE unasked SET tries = tries + 1, reason = :reason, due = :due, is_dead = :is_dead
WHERE session = :session AND turn = :turn;

-- put_off: to be asked about later
UPDATE unasked SET due = :due WHERE session = :session AND turn = :turn;

-- retry: those that were given up get another chance
UPDATE unasked SET is_dead = 0, tries = 0, due = :now, reason = NULL WHERE is_dead = 1 RETURNING upto;

-- forget_old: those that are older wait no more
DELETE FROM unasked WHERE at < :before RETURNING upto;
