-- Deletes one chunk of rows of the ledger older than @keep_days, and with them results and what is kept of dead
-- triggers; the column "more" says whether to run it again.
-- When:   at once, or deeper than the trackers do: they delete by themselves what is older than ledger.keep.
-- Care:   the ledger recognises a resent submit and a repeated completion: keep it longer than any client or worker
--         may be cut off. Trackers refuse less than two days; so should you.
-- Reads:  the oldest rows of jt_history by primary key, as many as the chunk and those of long runs that it passes
--         over.
-- Locks:  the rows of the chunk in jt_result, jt_dead and jt_history, for the length of one short transaction.
--         Trackers may run.
-- Set:    @keep_days; @chunk, how many rows at a time.
-- Then:   run it again while "more" is 1. The disk space is used again, and not given back, by most databases.
SET @keep_days = 30;
SET @chunk = 5000;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @before = @now - CAST(@keep_days AS BIGINT) * 86400000;
SET @below = (@before - 1767225600000) * 4194304;

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS purged (id BIGINT PRIMARY KEY);
TRUNCATE TABLE purged;

SET AUTOCOMMIT FALSE;
INSERT INTO purged
SELECT id FROM jt_history WHERE id < @below AND finished_at < @before ORDER BY id FETCH FIRST @chunk ROWS ONLY;
DELETE FROM jt_result WHERE id IN (SELECT id FROM purged);
DELETE FROM jt_dead WHERE id IN (SELECT id FROM purged);
DELETE FROM jt_history WHERE id IN (SELECT id FROM purged);
COMMIT;
SET AUTOCOMMIT TRUE;

SELECT EXISTS (SELECT 1 FROM jt_history WHERE id < @below AND finished_at < @before) AS more;

DROP TABLE purged;
