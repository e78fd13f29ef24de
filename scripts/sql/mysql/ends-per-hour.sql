-- How many executions ended how in each hour of the last @hours, for each node group; the hour is that of the claim,
-- in UTC.
-- When:   to see when the load comes, when the failures began, and whether last night was like the nights before.
-- Reads:  the rows of jt_history claimed in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @hours, how far to look back.
-- Then:   failures-per-job.sql for the hours in which it went wrong; slow-jobs.sql if only the lateness grew.
SET @hours = 24;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SELECT TIMESTAMPADD(HOUR, (id DIV 4194304 + 1767225600000) DIV 3600000, TIMESTAMP '1970-01-01 00:00:00') AS hour_utc,
  node_group,
  COUNT(CASE WHEN status = 'SUCCEEDED' THEN 1 END) AS succeeded,
  COUNT(CASE WHEN status IN ('FAILED', 'DEAD') THEN 1 END) AS failed,
  COUNT(CASE WHEN status IN ('RETRIED', 'RESCUED') THEN 1 END) AS repeated,
  COUNT(CASE WHEN status IN ('POSTPONED', 'RETURNED') THEN 1 END) AS put_back,
  SUM(CASE WHEN status IN ('SKIPPED', 'CANCELLED') THEN instants ELSE 0 END) AS instants_not_run,
  MAX(claimed_at - due_at) AS latest_start_ms
FROM jt_history
WHERE id >= (@now - @hours * 3600000 - 1767225600000) * 4194304
GROUP BY hour_utc, node_group
ORDER BY hour_utc, node_group;
