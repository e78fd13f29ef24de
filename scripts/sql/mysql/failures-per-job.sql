-- How often each job failed in the last @hours, worst first, and what it said the last time.
-- When:   something is wrong with the jobs rather than with Millrace; each morning.
-- Reads:  the rows of jt_history claimed in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @hours, how far to look back; @most, how many jobs to show.
-- Then:   dead.sql lists what will not be tried again by itself; requeue.sql and requeue-all.sql run it again.
SET @hours = 24;
SET @most = 50;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET SESSION sql_select_limit = @most;

SELECT f.node_group, f.job, f.failed, f.dead, f.retried, f.rescued, f.succeeded, f.last_failure AS execution_id,
  REPLACE(LEFT(COALESCE(h.message, h.cause), 200), '\n', ' ') AS last_message
FROM (
  SELECT node_group,
    CASE WHEN job_version = 0 THEN CONCAT('one-shots of ', COALESCE(handler, 'no handler')) ELSE task_id END AS job,
    COUNT(CASE WHEN status = 'FAILED' THEN 1 END) AS failed,
    COUNT(CASE WHEN status = 'DEAD' THEN 1 END) AS dead,
    COUNT(CASE WHEN status = 'RETRIED' THEN 1 END) AS retried,
    COUNT(CASE WHEN status = 'RESCUED' THEN 1 END) AS rescued,
    COUNT(CASE WHEN status = 'SUCCEEDED' THEN 1 END) AS succeeded,
    MAX(CASE WHEN status IN ('FAILED', 'DEAD', 'RETRIED', 'RESCUED') THEN id END) AS last_failure
  FROM jt_history
  WHERE id >= (@now - @hours * 3600000 - 1767225600000) * 4194304
  GROUP BY node_group, job) f
  JOIN jt_history h ON h.id = f.last_failure
ORDER BY f.dead + f.failed DESC, f.retried + f.rescued DESC, f.node_group, f.job;
SET SESSION sql_select_limit = DEFAULT;
