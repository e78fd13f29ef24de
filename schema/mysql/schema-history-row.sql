INSERT INTO jt_schema_history (
  installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
SELECT COALESCE(MAX(installed_rank), 0) + 1, '${version}', '${description}', 'SQL', '${script}', ${checksum},
  SUBSTRING_INDEX(CURRENT_USER(), '@', 1), 0, TRUE
FROM jt_schema_history
HAVING COUNT(CASE WHEN version = '${version}' THEN 1 END) = 0;
