-- Runs the dead triggers of recurring jobs again, each as requeue.sql does one: those of one node group, and of one
-- job if it is named, that were claimed in the last @hours; at most @most, oldest first.
-- When:   what made them fail is repaired, and they are many. dead.sql and failures-per-job.sql show them.
-- Not for one-shots: their parameters are gone with them; submit the jobs again, under the same task ids.
-- Not for extra runs with parameters of their own, nor for jobs whose runs follow one another: those are left out.
-- Reads:  the rows of jt_history claimed in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  the rows of the jobs, for the length of one transaction, so that no edit or cancel comes between. Trackers
--         may run.
-- Set:    @node_group; @task_id, empty means all; @hours; @most.
-- Then:   run it again while it requeues as many as it may; once more requeues nothing that it has requeued. They
--         start when the tracker next reads the table, within preload.period. Mind the load: they are all due at
--         once.
SET @node_group = 'orders';
SET @task_id = '';
SET @hours = 24;
SET @most = 500;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS dead (
  id BIGINT PRIMARY KEY, task_id VARCHAR(256), planned_at BIGINT, ordinal INT, job_id BIGINT, planned_for BIGINT);
TRUNCATE TABLE dead;

SET AUTOCOMMIT FALSE;

-- What has been requeued already waits, executes or has ended; it is looked for in the order of its way.
SET @is_requeued =
  'EXISTS (SELECT 1 FROM ' || @waiting_table || ' later WHERE later.task_id = h.task_id'
    || ' AND later.planned_at = h.planned_at AND later.ordinal > h.ordinal)'
    || ' OR EXISTS (SELECT 1 FROM jt_executing later WHERE later.node_group = @node_group AND later.task_id = h.task_id'
    || ' AND later.planned_at = h.planned_at AND later.ordinal > h.ordinal)'
    || ' OR EXISTS (SELECT 1 FROM jt_history later WHERE later.job_id = h.job_id'
    || ' AND later.planned_for = h.planned_for AND later.ordinal > h.ordinal)';
EXECUTE IMMEDIATE COALESCE(
  'INSERT INTO dead SELECT h.id, h.task_id, h.planned_at, h.ordinal, h.job_id, h.planned_for'
    || ' FROM jt_history h JOIN jt_job j ON j.id = h.job_id'
    || ' WHERE h.id >= (@now - CAST(@hours AS BIGINT) * 3600000 - 1767225600000) * 4194304'
    || ' AND h.status = ''DEAD'' AND h.node_group = @node_group AND (@task_id = '''' OR h.task_id = @task_id)'
    || ' AND j.state = ''ACTIVE'' AND j.spec NOT LIKE ''%"chained":true%'''
    || ' AND (h.ordinal = 0 OR EXISTS (SELECT 1 FROM jt_history planned'
    || ' WHERE planned.job_id = h.job_id AND planned.planned_for = h.planned_for AND planned.ordinal = 0))'
    || ' AND NOT (' || @is_requeued || ') ORDER BY h.id FETCH FIRST @most ROWS ONLY', 'SET @nothing = 0');

-- While the job's row is held nobody else requeues: what is still none of these is so for certain.
UPDATE jt_job SET write_seq = write_seq + 1 WHERE id IN (SELECT job_id FROM dead) AND state = 'ACTIVE';
DELETE FROM dead d WHERE NOT EXISTS (SELECT 1 FROM jt_job j WHERE j.id = d.job_id AND j.state = 'ACTIVE');
EXECUTE IMMEDIATE COALESCE('DELETE FROM dead h WHERE ' || @is_requeued, 'SET @nothing = 0');

-- The ids carry the tracker number 1023, which no tracker leases before 1023 others run.
EXECUTE IMMEDIATE COALESCE(
  'INSERT INTO ' || @waiting_table || ' (id, task_id, planned_at, ordinal, job_id, job_version,'
    || ' planned_for, due_at, priority, attempt, generated_at, spec, params_bytes, params)'
    || ' SELECT (@now - 1767225600000 + d.number / 4096) * 4194304 + 1023 * 4096 + MOD(d.number, 4096), d.task_id,'
    || ' d.planned_at, d.ordinal + 1, j.id, j.version, d.planned_for, @now, j.priority, 1, @now, NULL, j.params_bytes,'
    || ' j.params FROM (SELECT dead.*, ROW_NUMBER() OVER (ORDER BY id) - 1 AS number FROM dead) d'
    || ' JOIN jt_job j ON j.id = d.job_id AND j.state = ''ACTIVE''', 'SET @nothing = 0');

COMMIT;
SET AUTOCOMMIT TRUE;

SELECT COUNT(*) AS requeued FROM dead;

DROP TABLE dead;
