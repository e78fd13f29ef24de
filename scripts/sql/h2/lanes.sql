-- What waits in each lane: the labels that triggers require of a worker, how many triggers wait and how many are due.
-- When:   jobs with labels start late, or a node group may lack a worker with a label.
-- Reads:  jt_lane, and every waiting table whole (an index of it). A million rows take about a second.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   millrace workers ID shows the labels of a worker, and millrace explain names the label that no worker has.
--         #parts stands for runs that are split: it needs workers of a version that knows them.
--         Parts that are for one worker each are in no lane: batches.sql shows their runs, as BROADCAST.
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS in_lane (
  table_name VARCHAR(64), lane SMALLINT, waiting BIGINT, due BIGINT);
TRUNCATE TABLE in_lane;

-- One INSERT over all waiting tables, written from the list of node groups.
EXECUTE IMMEDIATE COALESCE((
  SELECT 'INSERT INTO in_lane ' || LISTAGG(
    'SELECT ''' || table_name || ''', lane, COUNT(*), COUNT(CASE WHEN due_at <= @now THEN 1 END) FROM '
      || table_name || ' GROUP BY lane',
    ' UNION ALL ')
  FROM jt_node_group), 'TRUNCATE TABLE in_lane');

SELECT l.node_group, l.lane, l.labels, COALESCE(w.waiting, 0) AS waiting, COALESCE(w.due, 0) AS due
FROM jt_lane l
LEFT JOIN jt_node_group g ON g.name = l.node_group
LEFT JOIN in_lane w ON w.table_name = g.table_name AND w.lane = l.lane
ORDER BY due DESC, l.node_group, l.lane;

DROP TABLE in_lane;
