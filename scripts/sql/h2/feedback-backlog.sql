-- Ends of triggers that no client has acknowledged yet, by client group.
-- When:   a client does not hear of its jobs, or jt_feedback grows.
-- Reads:  jt_feedback whole.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   start a client of the group with a listener: it is told everything, oldest first. If there will never be
--         one, purge-feedback.sql; the trackers purge what is older than feedback.keep by themselves.
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT client_group, COUNT(*) AS ends, (@now - MIN(finished_at)) / 1000 AS oldest_seconds,
  COUNT(DISTINCT node_group) AS node_groups
FROM jt_feedback
GROUP BY client_group
ORDER BY ends DESC, client_group;
