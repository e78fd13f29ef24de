-- How large each table is, largest first: rows and megabytes, both estimates of the database.
-- When:   the disk fills, or a purge is to be planned; before and after an upgrade.
-- Reads:  the catalogue of the database.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   jt_history, jt_result and jt_job_log are bounded by ledger.keep, ledger.max-rows and job-log.keep; purge-history.sql
--         and purge-job-log.sql delete at once. A large waiting table is a backlog: backlog-per-group.sql.

SELECT t.table_name AS table_name, g.name AS node_group, t.table_rows AS about_rows,
  (t.data_length + t.index_length) DIV 1048576 AS megabytes
FROM information_schema.tables t LEFT JOIN jt_node_group g ON g.table_name = CONVERT(t.table_name USING utf8mb4)
WHERE t.table_schema = DATABASE() AND LEFT(t.table_name, 3) = 'jt_'
ORDER BY about_rows DESC, table_name;
