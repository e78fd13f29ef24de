-- The tables every tracker shares. Times are epoch milliseconds; ids are 64-bit and rise with time.
-- The file of the same name under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_job (
  id              BIGINT        NOT NULL COMMENT 'the job, for ever: an edit keeps it',
  node_group      VARCHAR(64)   NOT NULL COMMENT 'whose workers run it',
  task_id         VARCHAR(128)  NOT NULL COMMENT 'the client''s own id, unique in the node group',
  version         INT           NOT NULL COMMENT 'rises with every edit, pause, resume and cancel',
  state           VARCHAR(16)   NOT NULL COMMENT 'ACTIVE, PAUSED, FINISHED or CANCELLED',
  schedule        TEXT          NOT NULL COMMENT 'when it fires, as JSON',
  spec            TEXT          NOT NULL COMMENT 'how its triggers run and end, as JSON',
  params_bytes    INT           NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params          MEDIUMTEXT             COMMENT 'what the runner is given, as JSON',
  priority        SMALLINT      NOT NULL COMMENT '0 to 255, lower runs first',
  accepted_at     BIGINT        NOT NULL COMMENT 'when this version was accepted',
  generated_until BIGINT        NOT NULL COMMENT 'triggers planned up to here exist',
  generate_at     BIGINT                 COMMENT 'when to generate again; null means never',
  fired_count     BIGINT        NOT NULL COMMENT 'triggers written under this version',
  exhausted       BOOLEAN       NOT NULL COMMENT 'whether no fire time is left',
  write_seq       BIGINT        NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  PRIMARY KEY (id),
  UNIQUE INDEX uq_job_task (node_group, task_id),
  CONSTRAINT ck_job_state CHECK (state IN ('ACTIVE', 'PAUSED', 'FINISHED', 'CANCELLED')),
  CONSTRAINT ck_job_version CHECK (version >= 1),
  CONSTRAINT ck_job_priority CHECK (priority BETWEEN 0 AND 255),
  CONSTRAINT ck_job_params CHECK ((params_bytes = 0) = (params IS NULL)),
  INDEX ix_job_generate (node_group, generate_at, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'recurring jobs, one row for each node group and task id';

CREATE TABLE jt_executing (
  id             BIGINT        NOT NULL COMMENT 'the execution: the fencing token of its worker',
  node_group     VARCHAR(64)   NOT NULL COMMENT 'whose workers run it',
  task_id        VARCHAR(128)  NOT NULL COMMENT 'trigger identity: whose',
  planned_at     BIGINT        NOT NULL COMMENT 'trigger identity: the instant of the schedule; 0 for a one-shot',
  ordinal        INT           NOT NULL COMMENT 'trigger identity: 0 for what was scheduled',
  job_id         BIGINT        NOT NULL COMMENT 'its jt_job row; for a one-shot, its first waiting row',
  job_version    INT           NOT NULL COMMENT 'version it was generated from; 0 for a one-shot',
  planned_for    BIGINT        NOT NULL COMMENT 'the instant it is meant for, over all attempts',
  due_at         BIGINT        NOT NULL COMMENT 'when this attempt might start',
  priority       SMALLINT      NOT NULL COMMENT '0 to 255, lower runs first',
  attempt        INT           NOT NULL COMMENT 'number of this attempt, from 1',
  generated_at   BIGINT        NOT NULL COMMENT 'when the trigger was first written',
  spec           TEXT          NOT NULL COMMENT 'how it runs and ends, as JSON',
  params_bytes   INT           NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params         MEDIUMTEXT             COMMENT 'of a one-shot, kept for a further attempt, as JSON',
  worker_id      VARCHAR(128)  NOT NULL COMMENT 'node id of the worker that claimed it',
  claimed_at     BIGINT        NOT NULL COMMENT 'when it was claimed',
  stop_requested BOOLEAN       NOT NULL COMMENT 'whether its job was cancelled meanwhile: no attempt follows',
  PRIMARY KEY (id),
  UNIQUE INDEX uq_executing_trigger (node_group, task_id, planned_at, ordinal),
  CONSTRAINT ck_executing_attempt CHECK (attempt >= 1),
  CONSTRAINT ck_executing_priority CHECK (priority BETWEEN 0 AND 255),
  CONSTRAINT ck_executing_params CHECK ((params_bytes = 0) = (params IS NULL))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'executions under way: triggers that a worker has claimed';

CREATE TABLE jt_history (
  id            BIGINT        NOT NULL COMMENT 'the execution; for what never ran, an id of its own',
  node_group    VARCHAR(64)   NOT NULL COMMENT 'whose workers ran it',
  task_id       VARCHAR(128)  NOT NULL COMMENT 'trigger identity: whose',
  planned_at    BIGINT        NOT NULL COMMENT 'trigger identity: the instant of the schedule; 0 for a one-shot',
  ordinal       INT           NOT NULL COMMENT 'trigger identity: 0 for what was scheduled',
  job_id        BIGINT        NOT NULL COMMENT 'its jt_job row; for a one-shot, its first waiting row',
  job_version   INT           NOT NULL COMMENT 'version it was generated from; 0 for a one-shot',
  status        VARCHAR(16)   NOT NULL COMMENT 'how it ended',
  is_final      BOOLEAN       NOT NULL COMMENT 'whether the trigger ended with it: true on one row of each trigger',
  reported      BOOLEAN       NOT NULL COMMENT 'whether the worker''s own report ended it, not the tracker',
  cause         VARCHAR(255)           COMMENT 'why, where the status does not say it all',
  attempt       INT           NOT NULL COMMENT 'number of the attempt; 0 if it never ran',
  planned_for   BIGINT        NOT NULL COMMENT 'the instant it was meant for',
  planned_to    BIGINT        NOT NULL COMMENT 'last instant of a run of instants, otherwise planned_for',
  instants      BIGINT        NOT NULL COMMENT 'how many planned instants the row stands for',
  due_at        BIGINT        NOT NULL COMMENT 'when the attempt might start',
  generated_at  BIGINT        NOT NULL COMMENT 'when the trigger was first written',
  claimed_at    BIGINT                 COMMENT 'null if it was never claimed',
  started_at    BIGINT                 COMMENT 'by the worker''s clock; null if unknown',
  finished_at   BIGINT        NOT NULL COMMENT 'when the end was recorded',
  worker_id     VARCHAR(128)           COMMENT 'node id of the worker; null if it was never claimed',
  handler       VARCHAR(255)           COMMENT 'name of the runner',
  message       VARCHAR(4000)          COMMENT 'what the worker said',
  submission_id VARCHAR(128)           COMMENT 'the client''s id of the submit: a resend is known by it',
  submitted_by  VARCHAR(128)           COMMENT 'node id of the client',
  PRIMARY KEY (id),
  CONSTRAINT ck_history_status CHECK (status IN (
    'SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED', 'RETRIED', 'POSTPONED', 'RETURNED', 'RESCUED')),
  CONSTRAINT ck_history_final CHECK (
    is_final = (status IN ('SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED'))),
  CONSTRAINT ck_history_attempt CHECK (attempt >= 0),
  CONSTRAINT ck_history_instants CHECK (instants >= 1 AND planned_to >= planned_for),
  INDEX ix_history_job (job_id, planned_for, id),
  INDEX ix_history_submission (submission_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'the ledger: what became of every planned trigger; rows are only added, and purged when old';

CREATE TABLE jt_job_log (
  execution_id BIGINT         NOT NULL COMMENT 'the attempt that wrote the line',
  sequence_no  INT            NOT NULL COMMENT 'from 1, rising within the execution; gaps were dropped',
  logged_at    BIGINT         NOT NULL COMMENT 'when, by the worker''s clock',
  level        VARCHAR(16)    NOT NULL COMMENT 'DEBUG, INFO, WARN, ERROR or UNKNOWN',
  line         VARCHAR(8000)  NOT NULL COMMENT 'what the job wrote',
  PRIMARY KEY (execution_id, sequence_no)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'what jobs logged while they ran';

CREATE TABLE jt_feedback (
  id           BIGINT        NOT NULL COMMENT 'order of telling',
  client_group VARCHAR(128)  NOT NULL COMMENT 'whom to tell',
  node_group   VARCHAR(64)   NOT NULL COMMENT 'the job''s node group',
  task_id      VARCHAR(128)  NOT NULL COMMENT 'the job''s task id',
  planned_for  BIGINT        NOT NULL COMMENT 'the instant the schedule said',
  ordinal      INT           NOT NULL COMMENT '0 for what was scheduled',
  disposition  VARCHAR(16)   NOT NULL COMMENT 'how the trigger ended',
  attempt      INT           NOT NULL COMMENT 'number of its last attempt; 0 if it never ran',
  message      VARCHAR(4000)          COMMENT 'what the last attempt said',
  finished_at  BIGINT        NOT NULL COMMENT 'when the end was recorded',
  PRIMARY KEY (id),
  CONSTRAINT ck_feedback_disposition CHECK (
    disposition IN ('SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED')),
  INDEX ix_feedback_client_group (client_group, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'ends of triggers that a client group has yet to acknowledge';

CREATE TABLE jt_node_group (
  name           VARCHAR(64)  NOT NULL COMMENT 'as clients and workers write it',
  table_name     VARCHAR(64)  NOT NULL COMMENT 'its waiting table',
  schema_version INT          NOT NULL COMMENT 'of its waiting table; the owner raises it before it serves',
  owner          INT                   COMMENT 'number of the tracker that serves it; null if none does',
  epoch          BIGINT       NOT NULL COMMENT 'rises with every change of owner',
  created_at     BIGINT       NOT NULL COMMENT 'when the group first appeared',
  write_seq      BIGINT       NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  PRIMARY KEY (name),
  UNIQUE INDEX uq_node_group_table (table_name)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'node groups, their waiting tables, and who serves them';

CREATE TABLE jt_tracker (
  number      INT           NOT NULL COMMENT 'leased, 0 to 1023: the ids this tracker issues carry it',
  tracker_id  VARCHAR(128)  NOT NULL COMMENT 'identity of its process',
  address     VARCHAR(255)  NOT NULL COMMENT 'where nodes reach it',
  lease_until BIGINT        NOT NULL COMMENT 'when the lease runs out unless renewed',
  PRIMARY KEY (number),
  CONSTRAINT ck_tracker_number CHECK (number BETWEEN 0 AND 1023)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'trackers on this store';
