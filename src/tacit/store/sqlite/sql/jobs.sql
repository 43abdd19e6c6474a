-- enqueue: something to do; what was done before is done again
INSERT INTO jobs (kind, session, turn, upto, is_partial, state, tries, made, due)
VALUES (:kind, :session, :turn, :upto, :is_partial, 'waiting', 0, :now, :now)
ON CONFLICT (kind, session, turn) DO UPDATE SET
    upto = excluded.upto, is_partial = excluded.is_partial, state = 'waiting', tries = 0,
    due = excluded.due, leased = NULL, token = NULL, reason = NULL;

-- due: whether there is one that can be claimed
SELECT number FROM jobs WHERE state = 'waiting' AND (due <= :now OR due > :latest_due)
UNION ALL
SELECT number FROM jobs
WHERE state = 'running' AND (leased < :now OR leased > :until + (:until - :now))
LIMIT 1;

-- claim: the oldest that is due; a lease that has run out, or that no clock could have given, counts as free
UPDATE jobs SET state = 'running', tries = tries + 1, leased = :until, token = :token
WHERE number = (
    SELECT number FROM jobs
    WHERE (state = 'waiting' AND (due <= :now OR due > :latest_due))
        OR (state = 'running' AND (leased < :now OR leased > :until + (:until - :now)))
    ORDER BY number LIMIT 1
)
RETURNING number, kind, session, turn, upto, is_partial, tries, token;

-- holder: the token of whoever is at work
SELECT token FROM jobs
WHERE state = 'running' AND leased BETWEEN :now AND :until + (:until - :now) ORDER BY number LIMIT 1;

-- expire: whoever holds this is gone
UPDATE jobs SET leased = 0 WHERE state = 'running' AND token = :token;

-- extend: stay at work
UPDATE jobs SET leased = :until WHERE number = :number AND token = :token AND state = 'running' RETURNING number;

-- finish: done, if it is still ours
UPDATE jobs SET state = 'done', leased = NULL, token = NULL, reason = NULL
WHERE number = :number AND token = :token AND state = 'running' RETURNING number;

-- fail: try again later, if it is still ours
UPDATE jobs SET state = :state, leased = NULL, token = NULL, reason = :reason, due = :due
WHERE number = :number AND token = :token AND state = 'running' RETURNING number;

-- release: let another take it up, if it is still ours; this try does not count
UPDATE jobs SET state = 'waiting', tries = tries - 1, leased = NULL, token = NULL, due = :due
WHERE number = :number AND token = :token AND state = 'running' RETURNING number;

-- bare_reasons: keep what kind of failure it was, without a word of what was read
UPDATE jobs SET reason = SUBSTR(reason, 1, INSTR(reason || ':', ':') - 1) WHERE reason IS NOT NULL;

-- ended_behind: the turns that were curated up to a sequence number or beyond
SELECT session, turn, upto FROM jobs
WHERE kind = 'turn' AND state = 'done' AND upto >= :seq ORDER BY upto;

-- retry: the dead are given another chance
UPDATE jobs SET state = 'waiting', tries = 0, due = :now, reason = NULL
WHERE state = 'dead' AND (:number IS NULL OR number = :number) RETURNING number;

-- hurry: nothing waits for its time
UPDATE jobs SET due = 0 WHERE state = 'waiting';

-- listed: what is not done, the oldest first
SELECT number, kind, session, turn, state, tries, made, due, reason FROM jobs
WHERE state <> 'done' ORDER BY number LIMIT :limit;

-- state_of: how far something has come
SELECT state FROM jobs WHERE kind = :kind AND session = :session AND turn = :turn;

-- counted: how many stand in each state
SELECT state, COUNT(*) FROM jobs GROUP BY state ORDER BY state;

-- waiting: how many are still to be done
SELECT COUNT(*) FROM jobs WHERE state IN ('waiting', 'running');

-- turns: how many were ever to be curated
SELECT COUNT(*) FROM jobs WHERE kind = 'turn';

-- number: how far something has come
SELECT number FROM progress WHERE name = :name;

-- set_number: remember how far something has come
INSERT INTO progress (name, number) VALUES (:name, :number)
ON CONFLICT (name) DO UPDATE SET number = excluded.number;

-- opened: a turn has begun, or something more of it came
INSERT INTO open_turns (session, turn, seq, last) VALUES (:session, :turn, :seq, :last)
ON CONFLICT (session, turn) DO UPDATE SET seq = excluded.seq, last = MAX(last, excluded.last);

-- open_turns: of a session, in order
SELECT turn, seq FROM open_turns WHERE session = :session ORDER BY seq;

-- idle_turns: of which nothing came since
SELECT session, turn, seq FROM open_turns WHERE last <= :since ORDER BY last, seq;

-- closed: a turn has ended
DELETE FROM open_turns WHERE session = :session AND turn = :turn;
