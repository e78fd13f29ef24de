-- What the job of one execution returned, as JSON.
-- When:   job-history.sql has shown an execution that SUCCEEDED, and the question is with what.
-- Reads:  one row of jt_result, by primary key.
-- Locks:  nothing.
-- Set:    @execution_id.
-- Then:   nothing. No row means that the job returned no value, or that its end was purged.
SET @execution_id = 0;

SELECT id AS execution_id, DATEADD('MILLISECOND', ended_at, TIMESTAMP '1970-01-01 00:00:00') AS ended_utc, result_bytes,
  result
FROM jt_result
WHERE id = @execution_id;
