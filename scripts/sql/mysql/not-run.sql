-- Instants that never ran in the last @hours, by job and cause: missed, skipped because the run before went on,
-- paused, cancelled.
-- When:   a job ran less often than its schedule says, or after an outage, to see what it cost.
-- Reads:  the rows of jt_history recorded in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @hours, how far to look back.
-- Then:   millrace run makes up for one; the misfire and overlap policies of the job say what becomes of the next
--         ones.
SET @hours = 24;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SELECT node_group, task_id, status, cause, SUM(instants) AS instants,
  TIMESTAMPADD(MICROSECOND, 1000 * MIN(planned_for), TIMESTAMP '1970-01-01 00:00:00') AS from_utc,
  TIMESTAMPADD(MICROSECOND, 1000 * MAX(planned_to), TIMESTAMP '1970-01-01 00:00:00') AS to_utc
FROM jt_history
WHERE id >= (@now - @hours * 3600000 - 1767225600000) * 4194304
  AND status IN ('SKIPPED', 'CANCELLED') AND claimed_at IS NULL
GROUP BY node_group, task_id, status, cause
ORDER BY instants DESC, node_group, task_id;
