-- What jobs returned. Additive: a tracker of the version before goes on beside this one, but keeps no
-- result of an end that it records. The file of the same name under mysql/ says the same in MySQL's
-- words; change both or neither.

CREATE TABLE jt_result (
  id           BIGINT   NOT NULL COMMENT 'the execution: of the row in jt_history that says SUCCEEDED',
  ended_at     BIGINT   NOT NULL COMMENT 'when the end was recorded',
  result_bytes INT      NOT NULL COMMENT 'length of result in UTF-8',
  result       VARCHAR  NOT NULL COMMENT 'what the job returned, as JSON',
  CONSTRAINT pk_result PRIMARY KEY (id)
);
COMMENT ON TABLE jt_result IS 'results of jobs, one for each execution that returned a value, as long as the ledger keeps its end';

ALTER TABLE jt_feedback ADD COLUMN execution_id BIGINT;
COMMENT ON COLUMN jt_feedback.execution_id IS 'of the row in jt_result to tell with it; null if the job returned no value';
