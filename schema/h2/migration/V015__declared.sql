-- Recurring jobs that applications have declared, what they declared last, and who declares. Additive: a tracker of the version before goes on beside
-- this one, and answers no declarations. The file of the same name under mysql/ says the same in MySQL's words; change both or neither.

CREATE TABLE jt_declaration_owner (
  owner          VARCHAR(128) NOT NULL COMMENT 'who declares',
  revision       BIGINT                COMMENT 'the highest that the owner declared; null if the latest declaration had none',
  declaration_id VARCHAR(40)  NOT NULL COMMENT 'the declaration that began last; only its pages are applied',
  pages          INT          NOT NULL COMMENT 'pages of it that were applied',
  jobs           INT          NOT NULL COMMENT 'jobs in these pages',
  begun_at       BIGINT       NOT NULL COMMENT 'when it began',
  write_seq      BIGINT       NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  CONSTRAINT pk_declaration_owner PRIMARY KEY (owner)
);
COMMENT ON TABLE jt_declaration_owner IS 'owners of declared jobs, each with its latest declaration';

CREATE TABLE jt_declaration (
  declaration_id VARCHAR(40)  NOT NULL COMMENT 'the client''s id of the declaration',
  owner          VARCHAR(128) NOT NULL COMMENT 'who declared',
  begun_at       BIGINT       NOT NULL COMMENT 'when its first page came',
  CONSTRAINT pk_declaration PRIMARY KEY (declaration_id)
);
COMMENT ON TABLE jt_declaration IS 'declarations that have begun, so that a late resend of one does not begin it again; purged when old';
CREATE INDEX ix_declaration_begun ON jt_declaration (begun_at, declaration_id);

CREATE TABLE jt_declared (
  id             BIGINT        NOT NULL COMMENT 'of this row',
  node_group     VARCHAR(64)   NOT NULL COMMENT 'with the task id, the key of the job',
  task_id        VARCHAR(256)  NOT NULL COMMENT 'with the node group, the key of the job',
  owner          VARCHAR(128)  NOT NULL COMMENT 'who declared the job last',
  revision       BIGINT                 COMMENT 'the revision of the declaration that had the job last; null if it had none',
  definition     VARCHAR       NOT NULL COMMENT 'the job as it was declared last, as JSON, with a digest of its parameters',
  submission_id  VARCHAR(40)   NOT NULL COMMENT 'what the job''s definition was stored under; another one in jt_job means an edit',
  declaration_id VARCHAR(40)   NOT NULL COMMENT 'the declaration that had, or retired, the job last',
  page           INT           NOT NULL COMMENT 'the page of that declaration',
  change_kind    VARCHAR(16)   NOT NULL COMMENT 'what that declaration did to the job',
  message        VARCHAR(2000)          COMMENT 'what the answer said of it',
  declared_at    BIGINT        NOT NULL COMMENT 'when the definition was declared first',
  retired_at     BIGINT                 COMMENT 'when the job was retired; null while it is declared',
  paused_by      VARCHAR(512)           COMMENT 'of a retired job that was paused: who paused it',
  paused_at      BIGINT                 COMMENT 'of a retired job that was paused: since when',
  pause_reason   VARCHAR(2000)          COMMENT 'of a retired job that was paused: why, if known',
  previous       VARCHAR(64)            COMMENT 'SHA-256, in hex, of the definition before this one; null if there was none',
  reverts        INT           NOT NULL COMMENT 'how often in a row the same revision went back to the former definition',
  write_seq      BIGINT        NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  CONSTRAINT pk_declared PRIMARY KEY (id),
  CONSTRAINT uq_declared_task UNIQUE (node_group, task_id),
  CONSTRAINT ck_declared_change CHECK (change_kind IN ('ADDED', 'CHANGED', 'UNCHANGED', 'RETIRED', 'RETURNED', 'CONFLICT', 'REJECTED'))
);
COMMENT ON TABLE jt_declared IS 'what was declared last of each job; a retired one stays, so that it returns as it was';
CREATE INDEX ix_declared_owner ON jt_declared (owner, id);
