-- What a run keeps between its attempts, and how far executions have come. Additive: a tracker of the version before goes on beside this one. The file
-- of the same name under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_kept (
  job_id       BIGINT        NOT NULL COMMENT 'trigger identity: its jt_job row; for a one-shot, its first waiting row',
  planned_at   BIGINT        NOT NULL COMMENT 'trigger identity: the instant of the schedule; 0 for a one-shot',
  ordinal      INT           NOT NULL COMMENT 'trigger identity: 0 for what was scheduled',
  name         VARCHAR(128)  NOT NULL COMMENT 'of the step; #checkpoint, or #origin',
  kind         VARCHAR(16)   NOT NULL COMMENT 'STEP, FAULT, CHECKPOINT or ORIGIN',
  content      MEDIUMTEXT             COMMENT 'the value as JSON; of a FAULT, what was wrong with it; of an ORIGIN, the key of the run that was replayed',
  bytes        INT           NOT NULL COMMENT 'length of content in UTF-8',
  kept_at      BIGINT        NOT NULL COMMENT 'when it was stored',
  execution_id BIGINT        NOT NULL COMMENT 'the execution that kept it',
  node_group   VARCHAR(64)   NOT NULL COMMENT 'whose workers run it',
  task_id      VARCHAR(128)  NOT NULL COMMENT 'whose',
  planned_for  BIGINT        NOT NULL COMMENT 'the instant it is meant for, over all attempts',
  PRIMARY KEY (job_id, planned_at, ordinal, name),
  CONSTRAINT ck_kept_kind CHECK (kind IN ('STEP', 'FAULT', 'CHECKPOINT', 'ORIGIN'))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'steps and checkpoints of triggers that have not ended, and of dead ones; deleted when the trigger lives nowhere';

ALTER TABLE jt_executing
  ADD COLUMN kept_seq BIGINT NOT NULL DEFAULT 0 COMMENT 'how many values this execution has kept: each write names the number before it';

ALTER TABLE jt_worker
  ADD COLUMN progress MEDIUMTEXT COMMENT 'how far its executions have come, as JSON; null if none says so';
