-- By which submissions the former versions of a job came, so that a late resend of one is known.
-- Additive: a tracker of the version before goes on beside this one. The file of the same name under
-- h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_job_submission (
  job_id        BIGINT        NOT NULL COMMENT 'the jt_job row',
  version       INT           NOT NULL COMMENT 'the version that was replaced',
  submission_id VARCHAR(128)  NOT NULL COMMENT 'the client''s id of the submit it came by',
  PRIMARY KEY (job_id, version)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT 'submissions of former versions of recurring jobs, the latest of each job';
