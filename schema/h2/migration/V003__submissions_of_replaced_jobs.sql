-- By which submissions the former versions of a job came, so that a late resend of one is known.
-- Additive: a tracker of the version before goes on beside this one. The file of the same name under
-- mysql/ says the same in MySQL's words; change both or neither.

CREATE TABLE jt_job_submission (
  job_id        BIGINT        NOT NULL COMMENT 'the jt_job row',
  version       INT           NOT NULL COMMENT 'the version that was replaced',
  submission_id VARCHAR(256)  NOT NULL COMMENT 'the client''s id of the submit it came by',
  CONSTRAINT pk_job_submission PRIMARY KEY (job_id, version)
);
COMMENT ON TABLE jt_job_submission IS 'submissions of former versions of recurring jobs, the latest of each job';
