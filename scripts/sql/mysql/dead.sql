-- Dead triggers about which nothing has been done: their attempts are used up, or their last error is of a kind that
-- is not retried. What was replayed or discarded is not shown.
-- When:   after an outage, to see what it cost; execution_id is what requeue.sql asks for.
-- Reads:  the rows of jt_dead that died in the last @hours, by index, and the row of each in jt_history, by its id.
-- Locks:  nothing.
-- Set:    @hours, how far to look back.
-- Then:   repair what made them fail; then millrace replay, for one or many, or requeue.sql and requeue-all.sql, which
--         leave one-shots alone.
SET @hours = 24;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SELECT d.id AS execution_id, d.node_group, d.task_id, d.planned_for, d.ordinal, d.attempt, d.died_at, h.worker_id,
  d.cause, REPLACE(LEFT(h.message, 200), '\n', ' ') AS message,
  CASE WHEN d.job_version = 0 THEN 'one-shot' ELSE 'recurring' END AS kind, d.job_id, d.replay_of
FROM jt_dead d LEFT JOIN jt_history h ON h.id = d.id
WHERE d.state = 'OPEN' AND d.died_at >= @now - @hours * 3600000
ORDER BY d.state, d.died_at, d.id;
