-- The waiting table of one node group: its triggers that are not claimed yet. Rows are inserted and
-- deleted, never updated, so an id that is gone stays gone.

CREATE TABLE IF NOT EXISTS ${table} (
  id           BIGINT        NOT NULL COMMENT 'of this row; a trigger that comes back has a new one',
  task_id      VARCHAR(128)  NOT NULL COMMENT 'trigger identity: whose',
  planned_at   BIGINT        NOT NULL COMMENT 'trigger identity: the instant of the schedule; 0 for a one-shot',
  ordinal      INT           NOT NULL COMMENT 'trigger identity: 0 for what was scheduled',
  job_id       BIGINT        NOT NULL COMMENT 'its jt_job row; for a one-shot, its first waiting row',
  job_version  INT           NOT NULL COMMENT 'version it was generated from; 0 for a one-shot',
  planned_for  BIGINT        NOT NULL COMMENT 'the instant it is meant for, over all attempts',
  due_at       BIGINT        NOT NULL COMMENT 'when the next attempt may start; 2^63-1 while it waits for its turn',
  priority     SMALLINT      NOT NULL COMMENT '0 to 255, lower runs first',
  attempt      INT           NOT NULL COMMENT 'number of the next attempt, from 1',
  generated_at BIGINT        NOT NULL COMMENT 'when the trigger was first written',
  spec         TEXT                   COMMENT 'how a one-shot runs and ends, as JSON; null if jt_job says it',
  params_bytes INT           NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params       MEDIUMTEXT             COMMENT 'of a one-shot or an extra run, as JSON',
  begun        BOOLEAN       NOT NULL DEFAULT FALSE COMMENT 'whether it has been drawn or called up before: it runs, and cannot be missed',
  submission_id VARCHAR(128)         COMMENT 'of an extra run: the id of the request; otherwise its spec or jt_job says it',
  submitted_by VARCHAR(128)          COMMENT 'of an extra run: node id of the client',
  replay_of    BIGINT                 COMMENT 'of a replay: the dead trigger, by its row in jt_history; otherwise null',
  next_at      BIGINT                 COMMENT 'of a planned trigger: when the next fire time of its job is due, from when on it is missed; null if nothing takes its place',
  lane         SMALLINT      NOT NULL DEFAULT 0 COMMENT 'which workers may run it: the labels of jt_lane; 0 for all',
  stick_to     VARCHAR(128)           COMMENT 'key of the worker that should run it, if that one is free; null if any may',
  PRIMARY KEY (id),
  UNIQUE INDEX uq_trigger (task_id, planned_at, ordinal),
  CHECK ((job_version = 0) = (spec IS NOT NULL)),
  CHECK (attempt >= 1),
  CHECK (priority BETWEEN 0 AND 255),
  CHECK ((params_bytes = 0) = (params IS NULL)),
  INDEX ix_due (lane, priority, due_at, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'triggers of one node group that are not claimed yet';
