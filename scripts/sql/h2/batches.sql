-- The runs under way that were split into parts: how far each is, the longest under way first.
-- When:   a run that was split does not end, or the question is how far it has come.
-- Reads:  jt_batch whole, which has a row for each such run, and by index the rows of jt_executing of its parts.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   batch-parts.sql for the parts of one; millrace explain says why it does not end. all_ended that stays TRUE
--         for minutes means that no tracker serves the node group. A STAGED one is not open yet: an execution stores its parts.
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT b.node_group, b.task_id, b.id AS batch_id, b.kind, b.state, b.stop_reason, b.total,
  b.succeeded + b.failed + b.dead + b.cancelled + b.skipped AS ended, b.failed, b.dead, b.cancelled,
  (SELECT COUNT(*) FROM jt_executing e
    WHERE e.node_group = b.node_group AND e.task_id = CONCAT('#', b.id)) AS running,
  b.released - b.succeeded - b.failed - b.dead - b.cancelled - b.skipped AS waiting_or_running,
  b.total - b.released AS to_follow, b.all_ended, b.parent_id, @now - b.claimed_at AS split_ms_ago
FROM jt_batch b
ORDER BY b.claimed_at, b.id;
