-- How long each job ran and how late it was claimed in the last @hours, longest average first.
-- When:   slots are full and it is not clear with what; a job has become slower; work starts late.
-- Reads:  the rows of jt_history claimed in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @hours, how far to look back; @most, how many jobs to show.
-- Then:   busy_ms is what a job takes of the slots in all: that many slot milliseconds in @hours. Late and fast jobs
--         want more slots or a lower number as their priority; slow ones a node group of their own.
SET @hours = 24;
SET @most = 50;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT node_group,
  CASE WHEN job_version = 0 THEN CONCAT('one-shots of ', COALESCE(handler, 'no handler')) ELSE task_id END AS job,
  COUNT(*) AS runs, AVG(finished_at - started_at) AS average_ms, MAX(finished_at - started_at) AS longest_ms,
  SUM(finished_at - started_at) AS busy_ms, AVG(claimed_at - due_at) AS average_late_ms,
  MAX(claimed_at - due_at) AS latest_ms
FROM jt_history
WHERE id >= (@now - CAST(@hours AS BIGINT) * 3600000 - 1767225600000) * 4194304 AND started_at IS NOT NULL
GROUP BY node_group, job
ORDER BY average_ms DESC, node_group, job
FETCH FIRST @most ROWS ONLY;
