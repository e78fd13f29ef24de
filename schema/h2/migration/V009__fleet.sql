-- What the trackers tell of the workers and node groups they serve, and what they count. Written every few seconds; nothing depends on it but what
-- operators are shown. The file of the same name under mysql/ says the same in MySQL's words; change both or neither.

CREATE TABLE jt_worker (
  worker_id       VARCHAR(128)  NOT NULL COMMENT 'node id of the worker',
  node_group      VARCHAR(64)   NOT NULL COMMENT 'the group it pulls for',
  process         BIGINT        NOT NULL COMMENT 'tells processes of one node id apart; 0 if the id had one only',
  tracker         INT           NOT NULL COMMENT 'number of the tracker that it pulls from',
  address         VARCHAR(255)  NOT NULL COMMENT 'where its connection comes from',
  software        VARCHAR(64)            COMMENT 'version of its software; null if it does not say',
  slots           INT                    COMMENT 'executions it runs at once; null if it does not say',
  begun           INT                    COMMENT 'executions that have a slot or wait for one at the worker; null if it does not say',
  held            INT           NOT NULL COMMENT 'executions that it has received and whose results are not acknowledged',
  held_ids        VARCHAR(1100) NOT NULL COMMENT 'the first of them, by blanks',
  connected_at    BIGINT        NOT NULL COMMENT 'when it first pulled from this tracker over the connection it has',
  last_pull_at    BIGINT        NOT NULL COMMENT 'when it last pulled',
  disconnected_at BIGINT                 COMMENT 'when its connection was lost; null while it has one',
  draining        BOOLEAN       NOT NULL DEFAULT FALSE COMMENT 'whether an operator wants it to get no further work, for as long as its process lives',
  CONSTRAINT pk_worker PRIMARY KEY (worker_id, node_group)
);
COMMENT ON TABLE jt_worker IS 'workers, as the trackers that they pull from last saw them';
CREATE INDEX ix_worker_group ON jt_worker (node_group, worker_id);
CREATE INDEX ix_worker_draining ON jt_worker (draining, node_group, worker_id);

CREATE TABLE jt_group_load (
  node_group    VARCHAR(64) NOT NULL COMMENT 'the group',
  tracker       INT         NOT NULL COMMENT 'number of the tracker that counted',
  observed_at   BIGINT      NOT NULL COMMENT 'when it counted',
  backlog       BIGINT      NOT NULL COMMENT 'triggers that are due and wait, counted up to a bound',
  at_least      BOOLEAN     NOT NULL COMMENT 'whether the bound was reached: there may be more',
  oldest_due_at BIGINT               COMMENT 'since when the first of them has been due; null if none is',
  next_due_at   BIGINT               COMMENT 'when the first of the others falls due; null if nothing else waits',
  workers       INT         NOT NULL COMMENT 'workers that pull for the group',
  draining      INT         NOT NULL COMMENT 'those of them that get no further work',
  slots         INT         NOT NULL COMMENT 'slots of the workers that say how many they have',
  slots_in_use  INT         NOT NULL COMMENT 'those of them that are taken',
  free_slots    INT         NOT NULL COMMENT 'executions that workers ask for now',
  executing     INT         NOT NULL COMMENT 'executions under way',
  CONSTRAINT pk_group_load PRIMARY KEY (node_group)
);
COMMENT ON TABLE jt_group_load IS 'what waits and who works in each node group, as its owner last counted';
CREATE INDEX ix_group_load_oldest ON jt_group_load (oldest_due_at, node_group);

CREATE TABLE jt_minute_count (
  node_group  VARCHAR(64) NOT NULL COMMENT 'the group; empty for all groups together',
  minute_at   BIGINT      NOT NULL COMMENT 'when the minute began',
  tracker     INT         NOT NULL COMMENT 'number of the tracker that counted',
  planned     BIGINT      NOT NULL COMMENT 'triggers written to wait',
  claimed     BIGINT      NOT NULL COMMENT 'executions claimed for workers',
  started     BIGINT      NOT NULL COMMENT 'executions handed to workers',
  succeeded   BIGINT      NOT NULL COMMENT 'triggers that ended so',
  failed      BIGINT      NOT NULL COMMENT 'triggers that ended so',
  dead        BIGINT      NOT NULL COMMENT 'triggers that ended so',
  cancelled   BIGINT      NOT NULL COMMENT 'triggers that ended so',
  skipped     BIGINT      NOT NULL COMMENT 'triggers that ended so',
  retried     BIGINT      NOT NULL COMMENT 'attempts that threw and are followed by another',
  rescued     BIGINT      NOT NULL COMMENT 'attempts whose worker was lost',
  given_back  BIGINT      NOT NULL COMMENT 'attempts that were postponed or returned',
  late_sum    BIGINT      NOT NULL COMMENT 'milliseconds from due to handed out, over all that started',
  late_max    BIGINT      NOT NULL COMMENT 'the longest of them',
  late_100ms  BIGINT      NOT NULL COMMENT 'of those that started, at most 100 ms late',
  late_1s     BIGINT      NOT NULL COMMENT 'more than that, and at most 1 s late',
  late_10s    BIGINT      NOT NULL COMMENT 'more than that, and at most 10 s late',
  late_60s    BIGINT      NOT NULL COMMENT 'more than that, and at most 60 s late',
  ran         BIGINT      NOT NULL COMMENT 'bodies that have run',
  run_sum     BIGINT      NOT NULL COMMENT 'milliseconds that they ran',
  CONSTRAINT pk_minute_count PRIMARY KEY (node_group, minute_at, tracker)
);
COMMENT ON TABLE jt_minute_count IS 'what happened, by minute; counts may lack what a killed tracker had not yet written. The record is jt_history';
CREATE INDEX ix_minute_count_minute ON jt_minute_count (minute_at);

CREATE INDEX ix_node_group_owner ON jt_node_group (owner);
