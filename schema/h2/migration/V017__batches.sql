-- Runs that are split into parts. Additive: a tracker of the version before goes on beside this one as long as no run is split. The file of
-- the same name under mysql/ says the same in MySQL's words; change both or neither.

CREATE TABLE jt_batch (
  id              BIGINT       NOT NULL COMMENT 'the batch: the execution that split; an id of its own if none began',
  node_group      VARCHAR(64)  NOT NULL COMMENT 'whose workers run its parts',
  task_id         VARCHAR(256) NOT NULL COMMENT 'trigger identity of the run: whose',
  planned_at      BIGINT       NOT NULL COMMENT 'trigger identity of the run: the instant of the schedule; 0 for a one-shot',
  ordinal         INT          NOT NULL COMMENT 'trigger identity of the run: 0 for what was scheduled',
  job_id          BIGINT       NOT NULL COMMENT 'its jt_job row; for a one-shot, its first waiting row; for a part, its batch',
  job_version     INT          NOT NULL COMMENT 'version it was generated from; 0 for a one-shot or a part',
  planned_for     BIGINT       NOT NULL COMMENT 'the instant it is meant for',
  due_at          BIGINT       NOT NULL COMMENT 'when the attempt that split might start',
  priority        SMALLINT     NOT NULL COMMENT '0 to 255, lower runs first',
  attempt         INT          NOT NULL COMMENT 'number of the attempt that split, from 1',
  generated_at    BIGINT       NOT NULL COMMENT 'when the trigger was first written',
  spec            VARCHAR      NOT NULL COMMENT 'how the run ends and its parts run, as JSON',
  params_bytes    INT          NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params          VARCHAR               COMMENT 'of the run, and of parts without any of their own, as JSON',
  worker_id       VARCHAR(128) NOT NULL COMMENT 'node id of the worker that split',
  claimed_at      BIGINT       NOT NULL COMMENT 'when the attempt that split was claimed',
  stop_requested  BOOLEAN      NOT NULL COMMENT 'whether its job was cancelled or the run terminated meanwhile',
  counted         BOOLEAN      NOT NULL COMMENT 'whether it counts in jt_job.running',
  terminated_by   VARCHAR(512)          COMMENT 'who terminated it; null if nobody did',
  kind            VARCHAR(16)  NOT NULL COMMENT 'SHARDS, BROADCAST or MAP',
  state           VARCHAR(16)  NOT NULL COMMENT 'STAGED, OPEN or STOPPING',
  total           INT          NOT NULL COMMENT 'parts in all',
  released        INT          NOT NULL COMMENT 'parts up to this number were moved into waiting, or never will be',
  succeeded       INT          NOT NULL COMMENT 'parts that ended SUCCEEDED',
  failed          INT          NOT NULL COMMENT 'parts that ended FAILED',
  dead            INT          NOT NULL COMMENT 'parts that ended DEAD',
  cancelled       INT          NOT NULL COMMENT 'parts that ended CANCELLED',
  skipped         INT          NOT NULL COMMENT 'parts that ended SKIPPED',
  replaced        INT          NOT NULL COMMENT 'dead parts that were replayed, each as a part more',
  all_ended       BOOLEAN      NOT NULL COMMENT 'whether total parts have ended and the run can end; not of a STAGED one',
  on_part_failure VARCHAR(16)  NOT NULL COMMENT 'FINISH, STOP or IGNORE',
  reduce_state    VARCHAR(16)  NOT NULL COMMENT 'NONE, TO_COME or RELEASED, or how the reduce ended',
  parent_id       BIGINT                COMMENT 'the batch one of whose parts split; null if a job did',
  root_id         BIGINT       NOT NULL COMMENT 'the batch at the top',
  depth           INT          NOT NULL COMMENT '1 at the top',
  opened_at       BIGINT                COMMENT 'when its parts became triggers; null while STAGED',
  deadline        BIGINT                COMMENT 'when it must have ended; null if never',
  stop_reason     VARCHAR(16)           COMMENT 'of a STOPPING one: CANCELLED, PART_FAILED or DEADLINE',
  bytes           BIGINT       NOT NULL COMMENT 'parameters and results stored for its parts, in UTF-8',
  parts_below     INT          NOT NULL COMMENT 'at the top: parts of all batches below',
  write_seq       BIGINT       NOT NULL COMMENT 'raised by whoever locks the row, so that the lock is a write',
  CONSTRAINT pk_batch PRIMARY KEY (id),
  CONSTRAINT ck_batch_kind CHECK (kind IN ('SHARDS', 'BROADCAST', 'MAP')),
  CONSTRAINT ck_batch_state CHECK (state IN ('STAGED', 'OPEN', 'STOPPING')),
  CONSTRAINT ck_batch_counts CHECK (succeeded + failed + dead + cancelled + skipped <= released AND released <= total AND replaced <= dead),
  CONSTRAINT ck_batch_params CHECK ((params_bytes = 0) = (params IS NULL))
);
COMMENT ON TABLE jt_batch IS 'runs that were split into parts, from their split to their end; not unique by identity, for several attempts of a run may stage parts';
CREATE INDEX ix_batch_task ON jt_batch (node_group, task_id, planned_at, ordinal);
CREATE INDEX ix_batch_ended ON jt_batch (node_group, all_ended, id);
CREATE INDEX ix_batch_parent ON jt_batch (parent_id);
CREATE INDEX ix_batch_root ON jt_batch (root_id);

CREATE TABLE jt_part (
  batch_id     BIGINT       NOT NULL COMMENT 'its batch',
  number       INT          NOT NULL COMMENT 'of the part in its batch, from 1',
  state        VARCHAR(16)  NOT NULL COMMENT 'NOT_ENDED, or how it ended',
  params_bytes INT          NOT NULL COMMENT 'length of params in UTF-8; 0 means none',
  params       VARCHAR               COMMENT 'of the part, as JSON',
  result       VARCHAR               COMMENT 'what it returned, as JSON; null if nothing, or if nothing will read it',
  replay_of    INT                   COMMENT 'the number of the dead part in whose place it is; null if it is no replay',
  CONSTRAINT pk_part PRIMARY KEY (batch_id, number),
  CONSTRAINT ck_part_state CHECK (state IN ('NOT_ENDED', 'SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED')),
  CONSTRAINT ck_part_params CHECK ((params_bytes = 0) = (params IS NULL))
);
COMMENT ON TABLE jt_part IS 'parts whose parameters or results are stored apart from their triggers; purged when their batch has ended';

ALTER TABLE jt_executing ADD COLUMN staged INT DEFAULT 0 NOT NULL;
COMMENT ON COLUMN jt_executing.staged IS 'how many parts this execution has staged: each request names the number before its first';
