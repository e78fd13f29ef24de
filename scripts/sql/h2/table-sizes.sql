-- How large each table is, largest first: rows and megabytes, both estimates of the database.
-- When:   the disk fills, or a purge is to be planned; before and after an upgrade.
-- Reads:  the catalogue of the database.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   jt_history, jt_result and jt_job_log are bounded by ledger.keep, ledger.max-rows and job-log.keep; purge-history.sql
--         and purge-job-log.sql delete at once. A large waiting table is a backlog: backlog-per-group.sql.

SELECT LOWER(t.table_name) AS table_name, g.name AS node_group, t.row_count_estimate AS about_rows,
  DISK_SPACE_USED(CONCAT('"', t.table_name, '"')) / 1048576 AS megabytes
FROM information_schema.tables t LEFT JOIN jt_node_group g ON g.table_name = LOWER(t.table_name)
WHERE t.table_schema = SCHEMA() AND LEFT(LOWER(t.table_name), 3) = 'jt_'
ORDER BY about_rows DESC, table_name;
