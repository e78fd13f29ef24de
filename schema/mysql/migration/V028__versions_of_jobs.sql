-- The versions of recurring jobs that applications and operators stored. Additive: a tracker of the version before goes on beside this one and writes no rows here; what it stored is
-- added when the next version follows. The file of the same name under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_job_version (
  job_id        BIGINT        NOT NULL COMMENT 'the jt_job row',
  version       INT           NOT NULL COMMENT 'of the job; pauses raise it too and have no row',
  stored_at     BIGINT        NOT NULL COMMENT 'when it was stored; of an unrecorded one, when the next one was',
  source        VARCHAR(16)   NOT NULL COMMENT 'CLIENT, DECLARED or OPERATOR; UNRECORDED if a tracker of a former version stored it',
  stored_by     VARCHAR(257)  NOT NULL COMMENT 'client group and node id of the client, owner of the declaration, or name of the operator',
  address       VARCHAR(64)            COMMENT 'where the request came from; null if that is not known',
  submission_id VARCHAR(40)   NOT NULL COMMENT 'of the submit that the definition came by',
  schedule      TEXT                   COMMENT 'as in jt_job; null, like all columns below, if the job was cancelled',
  spec          TEXT                   COMMENT 'as in jt_job',
  priority      SMALLINT               COMMENT 'as in jt_job',
  params_bytes  INT                    COMMENT 'length of the parameters in UTF-8; 0 means none',
  params        MEDIUMTEXT             COMMENT 'as in jt_job; null if there are none or they are too large to be kept here',
  PRIMARY KEY (job_id, version),
  CONSTRAINT ck_job_version_source CHECK (source IN ('CLIENT', 'DECLARED', 'OPERATOR', 'UNRECORDED')),
  INDEX ix_job_version_stored (stored_at, job_id, version)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'definitions of recurring jobs and their cancels, by version, the latest of each job';
