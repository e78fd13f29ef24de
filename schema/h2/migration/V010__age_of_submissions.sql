-- When each version of a job was replaced, so that the submission it came by is remembered for a time and not for a number of versions: pausing and
-- resuming count versions too. Additive: a tracker of the version before goes on beside this one. The file of the same name under mysql/ says the same in
-- MySQL's words; change both or neither.

ALTER TABLE jt_job_submission ADD COLUMN replaced_at BIGINT;
COMMENT ON COLUMN jt_job_submission.replaced_at IS 'when the version was replaced; null if a tracker of a former version wrote the row, until the purge sees it';

CREATE INDEX ix_job_submission_replaced ON jt_job_submission (replaced_at);
CREATE INDEX ix_job_submission_id ON jt_job_submission (job_id, submission_id);
