-- What each worker did in the last @hours: how many executions ended how, and when it last ended one.
-- When:   one worker is suspected: it fails what others do, it is lost again and again, or it does nothing.
-- Reads:  the rows of jt_history claimed in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @hours, how far to look back.
-- Then:   many that were rescued mean that the process died or stood still; many that were returned, that it was
--         stopped, or does not know the handler. Its own log says more.
SET @hours = 24;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SELECT node_group, worker_id, COUNT(*) AS executions,
  COUNT(CASE WHEN status = 'SUCCEEDED' THEN 1 END) AS succeeded,
  COUNT(CASE WHEN status IN ('FAILED', 'DEAD', 'RETRIED') THEN 1 END) AS failed,
  COUNT(CASE WHEN status = 'RESCUED' THEN 1 END) AS rescued,
  COUNT(CASE WHEN status = 'RETURNED' THEN 1 END) AS returned,
  AVG(finished_at - started_at) AS average_ms, (@now - MAX(finished_at)) DIV 1000 AS seconds_since_last_end
FROM jt_history
WHERE id >= (@now - @hours * 3600000 - 1767225600000) * 4194304 AND worker_id IS NOT NULL
GROUP BY node_group, worker_id
ORDER BY node_group, worker_id;
