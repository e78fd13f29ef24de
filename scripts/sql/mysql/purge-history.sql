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
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET @before = @now - @keep_days * 86400000;
SET @below = (@before - 1767225600000) * 4194304;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;

DROP TEMPORARY TABLE IF EXISTS purged;
CREATE TEMPORARY TABLE purged (id BIGINT PRIMARY KEY) ENGINE = InnoDB;

START TRANSACTION;
-- The chunk is put in as a number: LIMIT takes no variable.
SET @statement = CONCAT(
  'INSERT INTO purged SELECT id FROM jt_history WHERE id < @below AND finished_at < @before ORDER BY id LIMIT ',
  @chunk);
PREPARE find_chunk FROM @statement;
EXECUTE find_chunk;
DEALLOCATE PREPARE find_chunk;
DELETE r FROM purged p STRAIGHT_JOIN jt_result r FORCE INDEX (PRIMARY) ON r.id = p.id;
DELETE d FROM purged p STRAIGHT_JOIN jt_dead d FORCE INDEX (PRIMARY) ON d.id = p.id;
DELETE h FROM purged p STRAIGHT_JOIN jt_history h FORCE INDEX (PRIMARY) ON h.id = p.id;
COMMIT;

SELECT EXISTS (SELECT 1 FROM jt_history WHERE id < @below AND finished_at < @before) AS more;

DROP TEMPORARY TABLE purged;
