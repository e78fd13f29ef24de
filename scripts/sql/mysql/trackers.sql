-- The trackers of this store: which are alive, where nodes reach them, how many node groups each serves, and the level
-- of features that it has stated.
-- When:   first of all, when anything is wrong; after a start, a stop or a crash of a tracker.
-- Reads:  jt_tracker and jt_node_group whole, a row for each tracker and each node group.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   a tracker that is gone and still owns node groups for longer than its lease means that no other one is
--         alive: start one. node-groups.sql shows which groups these are.
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SELECT t.number, t.tracker_id, t.address,
  CASE WHEN t.lease_until > @now THEN 'live' ELSE 'gone' END AS state,
  t.lease_until - @now AS lease_left_ms, COUNT(g.name) AS node_groups,
  CASE WHEN t.level_of = t.tracker_id THEN t.feature_level ELSE 0 END AS feature_level
FROM jt_tracker t LEFT JOIN jt_node_group g ON g.owner = t.number
GROUP BY t.number, t.tracker_id, t.address, t.lease_until, t.level_of, t.feature_level
ORDER BY state DESC, t.number;
