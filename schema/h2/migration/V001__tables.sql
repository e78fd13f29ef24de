-- The tables every tracker shares. Times are epoch milliseconds; ids are 64-bit and rise with time.
-- The file of the same name under mysql/ says the same in MySQL's words; change both or neither.
-- H2 counts a text's length in UTF-16 units: a task id of 128 characters may need twice as many.

CREATE TABLE jt_job (
  id              BIGINT        NOT NULL COMMENT 'the job, for ever: an edit keeps it',
  node_group      VARCHAR(64)   NOT NULL COMMENT 'whose workers run it',
  task_id         VARCHAR(256)  NOT NULL COMMENT 'the client''s own id, unique in the node group',
  version         INT           NOT NULL COMMENT 'rises with every edit, pause, resume and cancel',
  state           VARCHAR(16)   NOT NULL COMMENT 'ACTIVE, PAUSED, FINISHED or CANCELLED',
  schedule        VARCHAR       NOT NULL COMMENT 'when it fires, as JSON',
  spec            VARCHAR       NOT NULL COMMENT 'how its triggers run and end, as JSON',
  params_bytes    INT           NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params          VARCHAR                COMMENT 'what the runner is given, as JSON',
  priority        SMALLINT      NOT NULL COMMENT '0 to 255, lower runs first',
  accepted_at     BIGINT        NOT NULL COMMENT 'when this version was accepted',
  generated_until BIGINT        NOT NULL COMMENT 'triggers planned up to here exist',
  generate_at     BIGINT                 COMMENT 'when to generate again; null means never',
  fired_count     BIGINT        NOT NULL COMMENT 'triggers written under this version',
  exhausted       BOOLEAN       NOT NULL COMMENT 'whether no fire time is left',
  write_seq       BIGINT        NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  CONSTRAINT pk_job PRIMARY KEY (id),
  CONSTRAINT uq_job_task UNIQUE (node_group, task_id),
  CONSTRAINT ck_job_state CHECK (state IN ('ACTIVE', 'PAUSED', 'FINISHED', 'CANCELLED')),
  CONSTRAINT ck_job_version CHECK (version >= 1),
  CONSTRAINT ck_job_priority CHECK (priority BETWEEN 0 AND 255),
  CONSTRAINT ck_job_params CHECK ((params_bytes = 0) = (params IS NULL))
);
COMMENT ON TABLE jt_job IS 'recurring jobs, one row for each node group and task id';
CREATE INDEX ix_job_generate ON jt_job (node_group, generate_at, id);

CREATE TABLE jt_executing (
  id             BIGINT        NOT NULL COMMENT 'the execution: the fencing token of its worker',
  node_group     VARCHAR(64)   NOT NULL COMMENT 'whose workers run it',
  task_id        VARCHAR(256)  NOT NULL COMMENT 'trigger identity: whose',
  planned_at     BIGINT        NOT NULL COMMENT 'trigger identity: the instant of the schedule; 0 for a one-shot',
  ordinal        INT           NOT NULL COMMENT 'trigger identity: 0 for what was scheduled',
  job_id         BIGINT        NOT NULL COMMENT 'its jt_job row; for a one-shot, its first waiting row',
  job_version    INT           NOT NULL COMMENT 'version it was generated from; 0 for a one-shot',
  planned_for    BIGINT        NOT NULL COMMENT 'the instant it is meant for, over all attempts',
  due_at         BIGINT        NOT NULL COMMENT 'when this attempt might start',
  priority       SMALLINT      NOT NULL COMMENT '0 to 255, lower runs first',
  attempt        INT           NOT NULL COMMENT 'number of this attempt, from 1',
  generated_at   BIGINT        NOT NULL COMMENT 'when the trigger was first written',
  spec           VARCHAR       NOT NULL COMMENT 'how it runs and ends, as JSON',
  params_bytes   INT           NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params         VARCHAR                COMMENT 'of a one-shot, kept for a further attempt, as JSON',
  worker_id      VARCHAR(128)  NOT NULL COMMENT 'node id of the worker that claimed it',
  claimed_at     BIGINT        NOT NULL COMMENT 'when it was claimed',
  stop_requested BOOLEAN       NOT NULL COMMENT 'whether its job was cancelled meanwhile: no attempt follows',
  CONSTRAINT pk_executing PRIMARY KEY (id),
  CONSTRAINT uq_executing_trigger UNIQUE (node_group, task_id, planned_at, ordinal),
  CONSTRAINT ck_executing_attempt CHECK (attempt >= 1),
  CONSTRAINT ck_executing_priority CHECK (priority BETWEEN 0 AND 255),
  CONSTRAINT ck_executing_params CHECK ((params_bytes = 0) = (params IS NULL))
);
COMMENT ON TABLE jt_executing IS 'executions under way: triggers that a worker has claimed';

CREATE TABLE jt_history (
  id            BIGINT        NOT NULL COMMENT 'the execution; for what never ran, an id of its own',
  node_group    VARCHAR(64)   NOT NULL COMMENT 'whose workers ran it',
  task_id       VARCHAR(256)  NOT NULL COMMENT 'trigger identity: whose',
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
  CONSTRAINT pk_history PRIMARY KEY (id),
  CONSTRAINT ck_history_status CHECK (status IN (
    'SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED', 'RETRIED', 'POSTPONED', 'RETURNED', 'RESCUED')),
  CONSTRAINT ck_history_final CHECK (
    is_final = (status IN ('SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED'))),
  CONSTRAINT ck_history_attempt CHECK (attempt >= 0),
  CONSTRAINT ck_history_instants CHECK (instants >= 1 AND planned_to >= planned_for)
);
COMMENT ON TABLE jt_history IS 'the ledger: what became of every planned trigger; rows are only added, and purged when old';
CREATE INDEX ix_history_job ON jt_history (job_id, planned_for, id);
CREATE INDEX ix_history_submission ON jt_history (submission_id);

CREATE TABLE jt_job_log (
  execution_id BIGINT         NOT NULL COMMENT 'the attempt that wrote the line',
  sequence_no  INT            NOT NULL COMMENT 'from 1, rising within the execution; gaps were dropped',
  logged_at    BIGINT         NOT NULL COMMENT 'when, by the worker''s clock',
  level        VARCHAR(16)    NOT NULL COMMENT 'DEBUG, INFO, WARN, ERROR or UNKNOWN',
  line         VARCHAR(8000)  NOT NULL COMMENT 'what the job wrote',
  CONSTRAINT pk_job_log PRIMARY KEY (execution_id, sequence_no)
);
COMMENT ON TABLE jt_job_log IS 'what jobs logged while they ran';

CREATE TABLE jt_feedback (
  id           BIGINT        NOT NULL COMMENT 'order of telling',
  client_group VARCHAR(128)  NOT NULL COMMENT 'whom to tell',
  node_group   VARCHAR(64)   NOT NULL COMMENT 'the job''s node group',
  task_id      VARCHAR(256)  NOT NULL COMMENT 'the job''s task id',
  planned_for  BIGINT        NOT NULL COMMENT 'the instant the schedule said',
  ordinal      INT           NOT NULL COMMENT '0 for what was scheduled',
  disposition  VARCHAR(16)   NOT NULL COMMENT 'how the trigger ended',
  attempt      INT           NOT NULL COMMENT 'number of its last attempt; 0 if it never ran',
  message      VARCHAR(4000)          COMMENT 'what the last attempt said',
  finished_at  BIGINT        NOT NULL COMMENT 'when the end was recorded',
  CONSTRAINT pk_feedback PRIMARY KEY (id),
  CONSTRAINT ck_feedback_disposition CHECK (
    disposition IN ('SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED'))
);
COMMENT ON TABLE jt_feedback IS 'ends of triggers that a client group has yet to acknowledge';
CREATE INDEX ix_feedback_client_group ON jt_feedback (client_group, id);

CREATE TABLE jt_node_group (
  name           VARCHAR(64)  NOT NULL COMMENT 'as clients and workers write it',
  table_name     VARCHAR(64)  NOT NULL COMMENT 'its waiting table',
  schema_version INT          NOT NULL COMMENT 'of its waiting table; the owner raises it before it serves',
  owner          INT                   COMMENT 'number of the tracker that serves it; null if none does',
  epoch          BIGINT       NOT NULL COMMENT 'rises with every change of owner',
  created_at     BIGINT       NOT NULL COMMENT 'when the group first appeared',
  write_seq      BIGINT       NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  CONSTRAINT pk_node_group PRIMARY KEY (name),
  CONSTRAINT uq_node_group_table UNIQUE (table_name)
);
COMMENT ON TABLE jt_node_group IS 'node groups, their waiting tables, and who serves them';

CREATE TABLE jt_tracker (
  number      INT           NOT NULL COMMENT 'leased, 0 to 1023: the ids this tracker issues carry it',
  tracker_id  VARCHAR(128)  NOT NULL COMMENT 'identity of its process',
  address     VARCHAR(255)  NOT NULL COMMENT 'where nodes reach it',
  lease_until BIGINT        NOT NULL COMMENT 'when the lease runs out unless renewed',
  CONSTRAINT pk_tracker PRIMARY KEY (number),
  CONSTRAINT ck_tracker_number CHECK (number BETWEEN 0 AND 1023)
);
COMMENT ON TABLE jt_tracker IS 'trackers on this store';
