-- Which jobs make up what waits in one node group: each recurring job, and all one-shots together.
-- When:   backlog-per-group.sql says that a group is late, and the question is whose work it is.
-- Reads:  the waiting table of the group whole. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @node_group; @most, how many jobs to show.
-- Then:   pause or cancel what should not run (millrace pause, millrace cancel), or give the group more workers.
--         Triggers held wait for the run before them to end: see stuck.sql.
SET @node_group = 'orders';
SET @most = 20;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS backlog (
  task_id VARCHAR(256), waiting BIGINT, due BIGINT, retries BIGINT, held BIGINT, oldest_late_ms BIGINT);
TRUNCATE TABLE backlog;

EXECUTE IMMEDIATE COALESCE((
  SELECT 'INSERT INTO backlog SELECT CASE WHEN job_version = 0 THEN ''(one-shots)'' ELSE task_id END AS task,'
    || ' COUNT(*), COUNT(CASE WHEN due_at <= @now THEN 1 END), COUNT(CASE WHEN attempt > 1 THEN 1 END),'
    || ' COUNT(CASE WHEN due_at = 9223372036854775807 THEN 1 END),'
    || ' MAX(CASE WHEN due_at <= @now THEN @now - due_at END) FROM ' || table_name || ' GROUP BY task'
  FROM jt_node_group WHERE name = @node_group), 'TRUNCATE TABLE backlog');

SELECT task_id, waiting, due, retries, held, oldest_late_ms
FROM backlog
ORDER BY due DESC, waiting DESC, task_id
FETCH FIRST @most ROWS ONLY;

DROP TABLE backlog;
