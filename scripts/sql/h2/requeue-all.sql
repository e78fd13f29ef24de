-- Runs the dead triggers of recurring jobs again, each as requeue.sql does one: those of one node group, and of one
-- job if it is named, that died in the last @hours and about which nothing has been done; at most @most, the first to
-- die first. Each is marked REPLAYED in the same transaction, so that it is replayed once, by this or by a tracker.
-- When:   what made them fail is repaired, and they are many. dead.sql and failures-per-job.sql show them. Where a
--         tracker can be asked, millrace replay does the same, and more.
-- Not for one-shots and paused jobs: those are left out, for millrace replay. Of a job whose runs take turns (overlap
-- SKIP, as by default, or QUEUE) it runs the first, if no run is under way; run it again when that has ended.
-- Reads:  the open rows of the group in jt_dead that died in the last @hours, and for each its rows in jt_job,
--         jt_history, jt_executing, jt_batch and the waiting table, all by index.
-- Locks:  the rows of the jobs and of the dead triggers, and what these kept, for the length of one transaction, so
--         that no edit, cancel or other replay comes between. Trackers may run.
-- Set:    @node_group; @task_id, empty means all; @hours; @most; @by, who asks for it: jt_dead and the ledger keep it.
-- Then:   run it again while it requeues as many as it may; once more requeues nothing that it has requeued. They
--         start when the tracker next reads the table, within preload.period. Mind the load: they are all due at
--         once.
SET @node_group = 'orders';
SET @task_id = '';
SET @hours = 24;
SET @most = 500;
SET @by = 'operations sql';
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS dead (id BIGINT PRIMARY KEY, job_id BIGINT, taken INT DEFAULT 0);
CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS requeued (
  id BIGINT PRIMARY KEY, job_id BIGINT, replay_id BIGINT, ordinal INT);
TRUNCATE TABLE dead;
TRUNCATE TABLE requeued;

SET AUTOCOMMIT FALSE;

INSERT INTO dead (id, job_id)
SELECT id, job_id
FROM (
  SELECT d.id, d.job_id, d.node_group, d.state, d.died_at,
    ROW_NUMBER() OVER (PARTITION BY d.job_id ORDER BY d.died_at, d.id) AS number_of_job,
    (j.spec LIKE '%"overlap":{"kind":"SKIP"%' OR j.spec LIKE '%"overlap":{"kind":"QUEUE"%') AS takes_turns
  FROM jt_dead d JOIN jt_job j ON j.id = d.job_id
  WHERE d.node_group = @node_group AND d.state = 'OPEN' AND d.died_at >= @now - CAST(@hours AS BIGINT) * 3600000
    AND d.job_version > 0 AND (@task_id = '' OR d.task_id = @task_id) AND @waiting_table IS NOT NULL
    AND j.state = 'ACTIVE'
    AND (j.running = 0 OR NOT (j.spec LIKE '%"overlap":{"kind":"SKIP"%' OR j.spec LIKE '%"overlap":{"kind":"QUEUE"%')))
WHERE number_of_job = 1 OR NOT takes_turns
ORDER BY node_group, state, died_at, id FETCH FIRST @most ROWS ONLY;

-- The jobs' rows are written first, as by everybody who writes a trigger of a job; what they are now, they stay.
UPDATE jt_job SET write_seq = write_seq + 1 WHERE id IN (SELECT job_id FROM dead);
DELETE FROM dead
WHERE NOT EXISTS (
  SELECT 1 FROM jt_job j
  WHERE j.id = dead.job_id
    AND j.state = 'ACTIVE'
    AND (j.running = 0 OR NOT (j.spec LIKE '%"overlap":{"kind":"SKIP"%' OR j.spec LIKE '%"overlap":{"kind":"QUEUE"%')));

-- Then those of the dead triggers: one that was marked meanwhile, by another person or a tracker, is left out.
UPDATE jt_dead SET settled_by = settled_by WHERE id IN (SELECT id FROM dead);
DELETE FROM dead WHERE EXISTS (SELECT 1 FROM jt_dead d WHERE d.id = dead.id AND d.state = 'REPLAYED');

-- The ordinals follow on the job's count, and on what was given away without being counted.
UPDATE dead SET taken = (
  SELECT GREATEST(
      COALESCE((
        SELECT MAX(h.ordinal) FROM jt_history h WHERE h.job_id = d.job_id AND h.planned_for = d.planned_for), 0),
      COALESCE((
        SELECT MAX(e.ordinal) FROM jt_executing e
        WHERE e.node_group = d.node_group AND e.task_id = d.task_id AND e.planned_at = d.planned_at), 0),
      COALESCE((
        SELECT MAX(b.ordinal) FROM jt_batch b
        WHERE b.node_group = d.node_group AND b.task_id = d.task_id AND b.planned_at = d.planned_at), 0))
  FROM jt_dead d WHERE d.id = dead.id);
EXECUTE IMMEDIATE COALESCE(
  'UPDATE dead SET taken = GREATEST(taken, COALESCE((SELECT MAX(w.ordinal) FROM jt_dead d JOIN ' || @waiting_table
    || ' w ON w.task_id = d.task_id AND w.planned_at = d.planned_at WHERE d.id = dead.id), 0))', 'SET @nothing = 0');

-- The ids carry the tracker number 1023, which no tracker leases before 1023 others run.
SET @base = (SELECT GREATEST(@now - 1767225600000, COALESCE(MAX(id), 0) / 4194304 + 1) FROM dead);
INSERT INTO requeued
SELECT d.id, d.job_id, (@base + d.number / 4096) * 4194304 + 1023 * 4096 + MOD(d.number, 4096),
  GREATEST(j.extra_count, d.job_taken) + d.number_of_job
FROM (
  SELECT dead.*, ROW_NUMBER() OVER (ORDER BY id) - 1 AS number,
    ROW_NUMBER() OVER (PARTITION BY job_id ORDER BY id) AS number_of_job,
    MAX(taken) OVER (PARTITION BY job_id) AS job_taken
  FROM dead) d JOIN jt_job j ON j.id = d.job_id
WHERE d.number_of_job = 1
  OR NOT (j.spec LIKE '%"overlap":{"kind":"SKIP"%' OR j.spec LIKE '%"overlap":{"kind":"QUEUE"%');

-- Each is marked, and its new trigger written.
UPDATE jt_dead d SET (state, settled_at, settled_by, replay_id, replay_ordinal) = (
  SELECT 'REPLAYED', @now, @by, r.replay_id, r.ordinal FROM requeued r WHERE r.id = d.id)
WHERE d.id IN (SELECT id FROM requeued);
UPDATE jt_job j SET extra_count = (SELECT MAX(r.ordinal) FROM requeued r WHERE r.job_id = j.id), running = running
  + CASE WHEN (j.spec LIKE '%"overlap":{"kind":"SKIP"%' OR j.spec LIKE '%"overlap":{"kind":"QUEUE"%') THEN 1 ELSE 0 END
WHERE j.id IN (SELECT job_id FROM requeued);
EXECUTE IMMEDIATE COALESCE(
  'INSERT INTO ' || @waiting_table || ' (id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at,'
    || ' priority, attempt, generated_at, spec, params_bytes, params, submission_id, submitted_by, replay_of, begun,'
    || ' lane, stick_to)'
    || ' SELECT r.replay_id, d.task_id, d.planned_at, r.ordinal, j.id, j.version, d.planned_for, @now, j.priority,'
    || ' 1, @now, NULL, CASE WHEN d.ordinal = 0 THEN j.params_bytes ELSE d.params_bytes END,'
    || ' CASE WHEN d.ordinal = 0 THEN j.params ELSE d.params END, ''replay-of-'' || d.id, @by, d.id,'
    || ' (j.spec LIKE ''%"overlap":{"kind":"SKIP"%'' OR j.spec LIKE ''%"overlap":{"kind":"QUEUE"%''),'
    || ' COALESCE(CAST(REGEXP_SUBSTR(j.spec, ''"lane":[{]"number":([0-9]+)'', 1, 1, NULL, 1) AS INT), 0),'
    || ' REGEXP_SUBSTR(j.spec, ''"stickTo":"([^"]*)"'', 1, 1, NULL, 1)'
    || ' FROM requeued r JOIN jt_dead d ON d.id = r.id JOIN jt_job j ON j.id = r.job_id', 'SET @nothing = 0');

-- What each dead run kept moves to the new one; and the new one is told which run was the first, because the keys of its
-- steps name that one.
UPDATE jt_kept k SET ordinal = (
  SELECT d.replay_ordinal FROM requeued r JOIN jt_dead d ON d.id = r.id
  WHERE d.job_id = k.job_id AND d.planned_at = k.planned_at AND d.ordinal = k.ordinal)
WHERE k.job_id IN (SELECT job_id FROM requeued) AND EXISTS (
  SELECT 1 FROM requeued r JOIN jt_dead d ON d.id = r.id
  WHERE d.job_id = k.job_id AND d.planned_at = k.planned_at AND d.ordinal = k.ordinal);
INSERT INTO jt_kept (job_id, planned_at, ordinal, name, kind, content, bytes, kept_at, execution_id, node_group, task_id,
  planned_for)
SELECT job_id, planned_at, replay_ordinal, '#origin', 'ORIGIN', run_key, OCTET_LENGTH(run_key), @now, 0, node_group, task_id,
  planned_for
FROM (
  SELECT d.*, CONCAT(d.node_group, '/', d.task_id, '/', d.job_id, '/', d.planned_at, '/', d.ordinal) AS run_key
  FROM requeued r JOIN jt_dead d ON d.id = r.id) died
WHERE NOT EXISTS (
  SELECT 1 FROM jt_kept k
  WHERE k.job_id = died.job_id AND k.planned_at = died.planned_at AND k.ordinal = died.replay_ordinal AND k.name = '#origin');

COMMIT;
SET AUTOCOMMIT TRUE;

SELECT COUNT(*) AS requeued FROM requeued;

DROP TABLE dead;
DROP TABLE requeued;
