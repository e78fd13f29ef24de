-- How much waits in each node group, how much of it is due, and for how long the oldest has been due.
-- When:   jobs start late, or a node group may have no worker or no owner.
-- Reads:  every waiting table whole (an index of it). A million rows take about a second.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   backlog-per-job.sql for a group that is late; node-groups.sql if it has no owner. Work that is due and not
--         late is on its way.
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET SESSION group_concat_max_len = 1048576;

-- One SELECT over all waiting tables, written from the list of node groups.
SELECT CONCAT(
  'SELECT g.name AS node_group, g.owner AS owner_tracker, b.waiting, b.due, @now - b.oldest_due_at AS oldest_late_ms',
  ' FROM (',
  GROUP_CONCAT(
    'SELECT ', QUOTE(table_name), ' AS table_name, COUNT(*) AS waiting,',
    ' COUNT(CASE WHEN due_at <= @now THEN 1 END) AS due,',
    ' MIN(CASE WHEN due_at <= @now THEN due_at END) AS oldest_due_at FROM ', table_name
    SEPARATOR ' UNION ALL '),
  ') b JOIN jt_node_group g ON g.table_name = b.table_name ORDER BY b.due DESC, g.name')
INTO @statement FROM jt_node_group;

-- Without any node group there is nothing to count.
SET @statement = COALESCE(@statement, 'SELECT name AS node_group FROM jt_node_group');
PREPARE backlog FROM @statement;
EXECUTE backlog;
DEALLOCATE PREPARE backlog;
