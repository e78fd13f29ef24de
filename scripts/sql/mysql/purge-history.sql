-- Deletes one chunk of rows of the ledger older than @keep_days; the column "more" says whether to run it again.
-- When:   at once, or deeper than the trackers do: they delete by themselves what is older than ledger.keep.
-- Care:   the ledger recognises a resent submit and a repeated completion: keep it longer than any client or worker
--         may be cut off. Trackers refuse less than two days; so should you.
-- Reads:  the oldest rows of jt_history by primary key, as many as the chunk and those of long runs that it passes
--         over.
-- Locks:  the rows of the chunk, for the length of one short transaction. Trackers may run meanwhile.
-- Set:    @keep_days; @chunk, how many rows at a time.
-- Then:   run it again while "more" is 1. The disk space is used again, and not given back, by most databases.
SET @keep_days = 30;
SET @chunk = 5000;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET @before = @now - @keep_days * 86400000;
SET @below = (@before - 1767225600000) * 4194304;

-- The chunk is put in as a number: LIMIT takes no variable.
SET @statement = CONCAT(
  'DELETE FROM jt_history WHERE id < @below AND finished_at < @before ORDER BY id LIMIT ', @chunk);
PREPARE purge_chunk FROM @statement;
EXECUTE purge_chunk;
DEALLOCATE PREPARE purge_chunk;

SELECT EXISTS (SELECT 1 FROM jt_history WHERE id < @below AND finished_at < @before) AS more;
