-- Executions that have been under way for longer than @minutes, longest first; beside each how long the job took at
-- most in the last week, when it last logged a line, and whether the tracker that watches over its lease is alive. Then
-- runs that were split: those under way as long, and those of which no part waits or runs.
-- When:   a job seems to hang, or a worker is busy with what should be over.
-- Reads:  jt_executing whole, which has no more rows than the workers have slots; for each row found, the last week
--         of its job in jt_history and the lines of the execution in jt_job_log, both by index. jt_batch whole, which
--         has a row for each run that is split; for each row found, its parts in jt_executing and jt_history, by index.
-- Locks:  nothing.
-- Set:    @minutes.
-- Then:   millrace terminate interrupts an invocation and lets no attempt follow. Do not delete the row: an execution
--         whose worker is dead goes back by itself when its lease has run out, and one whose worker is alive would
--         run unseen. A run of which no part waits or runs goes on in a moment if a tracker serves its group: ask again
--         before you look into it. batch-parts.sql has its parts, and millrace explain says what it waits for.
SET @minutes = 60;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SELECT e.node_group, e.task_id, e.worker_id, e.attempt, (@now - e.claimed_at) DIV 60000 AS minutes_under_way,
  (
    SELECT MAX(h.finished_at - h.started_at) FROM jt_history h
    WHERE h.job_id = e.job_id AND h.planned_for >= @now - 604800000 AND h.status = 'SUCCEEDED'
  ) DIV 60000 AS longest_before_minutes,
  (@now - (SELECT MAX(l.logged_at) FROM jt_job_log l WHERE l.execution_id = e.id)) DIV 60000 AS minutes_since_last_line,
  CASE WHEN t.lease_until > @now THEN 'watched' ELSE 'no tracker serves its group' END AS lease,
  e.stop_requested, e.terminated_by, e.id AS execution_id
FROM jt_executing e
  LEFT JOIN jt_node_group g ON g.name = e.node_group
  LEFT JOIN jt_tracker t ON t.number = g.owner
WHERE e.claimed_at < @now - @minutes * 60000
ORDER BY e.claimed_at, e.id;

SELECT b.node_group, b.task_id, b.kind, b.state, b.stop_reason, (@now - b.opened_at) DIV 60000 AS minutes_under_way,
  (
    @now - (SELECT MAX(h.finished_at) FROM jt_history h WHERE h.job_id = b.id)
  ) DIV 60000 AS minutes_since_last_part_ended,
  b.total, b.succeeded + b.failed + b.dead + b.cancelled + b.skipped AS ended,
  b.released - b.succeeded - b.failed - b.dead - b.cancelled - b.skipped AS waiting_or_running,
  (SELECT COUNT(*) FROM jt_executing e WHERE e.node_group = b.node_group AND e.task_id = CONCAT('#', b.id))
    + (SELECT COUNT(*) FROM jt_batch c WHERE c.parent_id = b.id AND c.state <> 'STAGED') AS running,
  b.total - b.released AS to_follow,
  CASE WHEN t.lease_until > @now THEN 'watched' ELSE 'no tracker serves its group' END AS lease,
  b.terminated_by, b.id AS batch_id
FROM jt_batch b
  LEFT JOIN jt_node_group g ON g.name = b.node_group
  LEFT JOIN jt_tracker t ON t.number = g.owner
WHERE b.state <> 'STAGED'
  AND (b.opened_at < @now - @minutes * 60000
    OR b.released = b.succeeded + b.failed + b.dead + b.cancelled + b.skipped)
ORDER BY b.opened_at, b.id;
