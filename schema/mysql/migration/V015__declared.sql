-- Recurring jobs that applications have declared, what they declared last, and who declares. Additive: a tracker of the version before goes on beside
-- this one, and answers no declarations. The file of the same name under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_declaration_owner (
  owner          VARCHAR(128) NOT NULL COMMENT 'who declares',
  revision       BIGINT                COMMENT 'the highest that the owner declared; null if the latest declaration had none',
  declaration_id VARCHAR(40)  NOT NULL COMMENT 'the declaration that began last; only its pages are applied',
  pages          INT          NOT NULL COMMENT 'pages of it that were applied',
  jobs           INT          NOT NULL COMMENT 'jobs in these pages',
  begun_at       BIGINT       NOT NULL COMMENT 'when it began',
  write_seq      BIGINT       NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  PRIMARY KEY (owner)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'owners of declared jobs, each with its latest declaration';

CREATE TABLE jt_declaration (
  declaration_id VARCHAR(40)  NOT NULL COMMENT 'the client''s id of the declaration',
  owner          VARCHAR(128) NOT NULL COMMENT 'who declared',
  begun_at       BIGINT       NOT NULL COMMENT 'when its first page came',
  PRIMARY KEY (declaration_id),
  INDEX ix_declaration_begun (begun_at, declaration_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'declarations that have begun, so that a late resend of one does not begin it again; purged when old';

CREATE TABLE jt_declared (
  id             BIGINT        NOT NULL COMMENT 'of this row',
  node_group     VARCHAR(64)   NOT NULL COMMENT 'with the task id, the key of the job',
  task_id        VARCHAR(128)  NOT NULL COMMENT 'with the node group, the key of the job',
  owner          VARCHAR(128)  NOT NULL COMMENT 'who declared the job last',
  revision       BIGINT                 COMMENT 'the revision of the declaration that had the job last; null if it had none',
  definition     TEXT          NOT NULL COMMENT 'the job as it was declared last, as JSON, with a digest of its parameters',
  submission_id  VARCHAR(40)   NOT NULL COMMENT 'what the job''s definition was stored under; another one in jt_job means an edit',
  declaration_id VARCHAR(40)   NOT NULL COMMENT 'the declaration that had, or retired, the job last',
  page           INT           NOT NULL COMMENT 'the page of that declaration',
  change_kind    VARCHAR(16)   NOT NULL COMMENT 'what that declaration did to the job',
  message        VARCHAR(1000)          COMMENT 'what the answer said of it',
  declared_at    BIGINT        NOT NULL COMMENT 'when the definition was declared first',
  retired_at     BIGINT                 COMMENT 'when the job was retired; null while it is declared',
  paused_by      VARCHAR(257)           COMMENT 'of a retired job that was paused: who paused it',
  paused_at      BIGINT                 COMMENT 'of a retired job that was paused: since when',
  pause_reason   VARCHAR(1000)          COMMENT 'of a retired job that was paused: why, if known',
  previous       VARCHAR(64)            COMMENT 'SHA-256, in hex, of the definition before this one; null if there was none',
  reverts        INT           NOT NULL COMMENT 'how often in a row the same revision went back to the former definition',
  write_seq      BIGINT        NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  PRIMARY KEY (id),
  UNIQUE INDEX uq_declared_task (node_group, task_id),
  CONSTRAINT ck_declared_change CHECK (change_kind IN ('ADDED', 'CHANGED', 'UNCHANGED', 'RETIRED', 'RETURNED', 'CONFLICT', 'REJECTED')),
  INDEX ix_declared_owner (owner, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'what was declared last of each job; a retired one stays, so that it returns as it was';
