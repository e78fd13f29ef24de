-- The node groups: which tracker serves each, whether that one is alive, how many jobs and executions it has, and
-- who had it made.
-- When:   nothing of a group runs; a group is to be moved or removed.
-- Reads:  jt_node_group and jt_executing whole, and jt_job whole (an index of it).
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   a group without an owner is taken by a tracker within seconds. If it is not, no
--         tracker is alive (trackers.sql), or its log says why it cannot. To remove a group: kill-node-group.sql.
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT g.name AS node_group,
  CASE WHEN g.owner IS NULL THEN 'no tracker'
    WHEN t.lease_until > @now THEN 'served'
    ELSE 'its tracker is gone'
  END AS state,
  g.owner AS owner_tracker, t.address, g.epoch, g.table_name, g.schema_version,
  COALESCE(j.active, 0) AS active_jobs, COALESCE(j.paused, 0) AS paused_jobs, COALESCE(e.executing, 0) AS executing,
  g.created_by, g.unused_since
FROM jt_node_group g
  LEFT JOIN jt_tracker t ON t.number = g.owner
  LEFT JOIN (
    SELECT node_group, COUNT(CASE WHEN state = 'ACTIVE' THEN 1 END) AS active,
      COUNT(CASE WHEN state = 'PAUSED' THEN 1 END) AS paused
    FROM jt_job GROUP BY node_group) j ON j.node_group = g.name
  LEFT JOIN (SELECT node_group, COUNT(*) AS executing FROM jt_executing GROUP BY node_group) e
    ON e.node_group = g.name
ORDER BY g.name;
