-- What one execution has logged so far, in order.
-- When:   stuck.sql or job-history.sql has shown an execution, and the question is what it was at.
-- Reads:  the lines of the execution in jt_job_log, by primary key; shows @most of them, the latest.
-- Locks:  nothing.
-- Set:    @execution_id; @most.
-- Then:   nothing. A gap in the numbers means that the worker dropped lines.
SET @execution_id = 0;
SET @most = 200;
SET @last = (SELECT MAX(sequence_no) FROM jt_job_log WHERE execution_id = @execution_id);

SELECT sequence_no, TIMESTAMPADD(MICROSECOND, 1000 * logged_at, TIMESTAMP '1970-01-01 00:00:00') AS logged_utc,
  level, line
FROM jt_job_log
WHERE execution_id = @execution_id AND sequence_no > @last - @most
ORDER BY sequence_no;
