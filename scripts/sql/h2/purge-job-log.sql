-- Deletes one chunk of lines of job logs older than @keep_days; the column "more" says whether to run it again.
-- When:   at once, or deeper than the trackers do: they delete by themselves what is older than job-log.keep.
-- Care:   the age is that of the claim: an execution still running after @keep_days loses its lines.
-- Reads:  the oldest rows of jt_job_log by primary key, as many as the chunk.
-- Locks:  the rows of the chunk, for the length of one short transaction. Trackers may run meanwhile.
-- Set:    @keep_days; @chunk, how many rows at a time.
-- Then:   run it again while "more" is 1. The disk space is used again, and not given back, by most databases.
SET @keep_days = 30;
SET @chunk = 5000;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @before = @now - CAST(@keep_days AS BIGINT) * 86400000;
SET @below = (@before - 1767225600000) * 4194304;

DELETE FROM jt_job_log WHERE execution_id < @below FETCH FIRST @chunk ROWS ONLY;

SELECT EXISTS (SELECT 1 FROM jt_job_log WHERE execution_id < @below) AS more;
