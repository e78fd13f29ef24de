-- Which jobs make up what waits in one node group: each recurring job, and all one-shots together.
-- When:   backlog-per-group.sql says that a group is late, and the question is whose work it is.
-- Reads:  the waiting table of the group whole. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @node_group; @most, how many jobs to show.
-- Then:   pause or cancel what should not run (millrace pause, millrace cancel), or give the group more workers.
--         Triggers held wait for the run before them to end: see stuck.sql.
SET @node_group = 'orders';
SET @most = 20;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SET @statement = (
  SELECT CONCAT(
    'SELECT CASE WHEN job_version = 0 THEN ''(one-shots)'' ELSE task_id END AS task_id, COUNT(*) AS waiting,',
    ' COUNT(CASE WHEN due_at <= @now THEN 1 END) AS due, COUNT(CASE WHEN attempt > 1 THEN 1 END) AS retries,',
    ' COUNT(CASE WHEN due_at = 9223372036854775807 THEN 1 END) AS held,',
    ' MAX(CASE WHEN due_at <= @now THEN @now - due_at END) AS oldest_late_ms FROM ', table_name,
    ' GROUP BY 1 ORDER BY due DESC, waiting DESC, 1 LIMIT ', @most)
  FROM jt_node_group WHERE name = @node_group);

-- Of a node group that does not exist there is nothing to count.
SET @statement = COALESCE(@statement, 'SELECT name AS node_group FROM jt_node_group WHERE 1 = 0');
PREPARE backlog FROM @statement;
EXECUTE backlog;
DEALLOCATE PREPARE backlog;
