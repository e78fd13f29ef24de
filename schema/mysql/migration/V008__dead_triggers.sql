-- Triggers that are dead, for operators to look at and to replay. Additive: a tracker of the version
-- before goes on beside this one, but lists none of those that it ends. The file of the same name
-- under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_dead (
  id             BIGINT        NOT NULL COMMENT 'of the row in jt_history that says DEAD: the last execution',
  node_group     VARCHAR(64)   NOT NULL COMMENT 'whose workers ran it',
  task_id        VARCHAR(128)  NOT NULL COMMENT 'trigger identity: whose',
  planned_at     BIGINT        NOT NULL COMMENT 'trigger identity: the instant of the schedule; 0 for a one-shot',
  ordinal        INT           NOT NULL COMMENT 'trigger identity: 0 for what was scheduled',
  job_id         BIGINT        NOT NULL COMMENT 'its jt_job row; for a one-shot, its first waiting row',
  job_version    INT           NOT NULL COMMENT 'version it was generated from; 0 for a one-shot',
  planned_for    BIGINT        NOT NULL COMMENT 'the instant it was meant for',
  priority       SMALLINT      NOT NULL COMMENT '0 to 255, lower runs first',
  attempt        INT           NOT NULL COMMENT 'number of the last attempt',
  died_at        BIGINT        NOT NULL COMMENT 'when the end was recorded',
  cause          VARCHAR(255)           COMMENT 'why there was no further attempt',
  spec           TEXT                   COMMENT 'how a one-shot runs and ends, as JSON; null if jt_job says it',
  params_bytes   INT           NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params         MEDIUMTEXT             COMMENT 'of a one-shot or an extra run, as JSON',
  replay_of      BIGINT                 COMMENT 'of a replay that died too: the dead trigger that it replayed',
  state          VARCHAR(16)   NOT NULL COMMENT 'OPEN, REPLAYED or DISCARDED',
  settled_at     BIGINT                 COMMENT 'when it was replayed or discarded',
  settled_by     VARCHAR(128)           COMMENT 'who did that',
  replay_id      BIGINT                 COMMENT 'first waiting row of its replay; null unless REPLAYED',
  replay_ordinal INT                    COMMENT 'ordinal of its replay; null unless REPLAYED',
  PRIMARY KEY (id),
  CONSTRAINT ck_dead_spec CHECK ((job_version = 0) = (spec IS NOT NULL)),
  CONSTRAINT ck_dead_params CHECK ((params_bytes = 0) = (params IS NULL)),
  CONSTRAINT ck_dead_state CHECK (state IN ('OPEN', 'REPLAYED', 'DISCARDED')),
  CONSTRAINT ck_dead_settled CHECK ((state = 'OPEN') = (settled_at IS NULL)),
  CONSTRAINT ck_dead_replay CHECK ((state = 'REPLAYED') = (replay_id IS NOT NULL)),
  INDEX ix_dead_state (state, died_at, id),
  INDEX ix_dead_group (node_group, state, died_at, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'dead triggers, as long as the ledger keeps their ends; a replayed one is marked and stays';

ALTER TABLE jt_history
  ADD COLUMN replay_of BIGINT COMMENT 'of a replay: the dead trigger, by its row here; otherwise null';
