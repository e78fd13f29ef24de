-- How much waits in each node group, how much of it is due, and for how long the oldest has been due.
-- When:   jobs start late, or a node group may have no worker or no owner.
-- Reads:  every waiting table whole (an index of it). A million rows take about a second.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   backlog-per-job.sql for a group that is late; node-groups.sql if it has no owner. Work that is due and not
--         late is on its way.
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS backlog (
  table_name VARCHAR(64), waiting BIGINT, due BIGINT, oldest_due_at BIGINT);
TRUNCATE TABLE backlog;

-- One INSERT over all waiting tables, written from the list of node groups.
EXECUTE IMMEDIATE COALESCE((
  SELECT 'INSERT INTO backlog ' || LISTAGG(
    'SELECT ''' || table_name || ''', COUNT(*), COUNT(CASE WHEN due_at <= @now THEN 1 END),'
      || ' MIN(CASE WHEN due_at <= @now THEN due_at END) FROM ' || table_name,
    ' UNION ALL ')
  FROM jt_node_group), 'TRUNCATE TABLE backlog');

SELECT g.name AS node_group, g.owner AS owner_tracker, b.waiting, b.due, @now - b.oldest_due_at AS oldest_late_ms
FROM backlog b JOIN jt_node_group g ON g.table_name = b.table_name
ORDER BY b.due DESC, g.name;

DROP TABLE backlog;
