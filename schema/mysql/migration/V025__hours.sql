-- What happened, by hour: the counts of minutes that are no longer kept as such. The file of the same name under h2/ says the same in H2's
-- words; change both or neither.

CREATE TABLE jt_hour_count (
  node_group  VARCHAR(64) NOT NULL COMMENT 'the group; empty for all groups together',
  hour_at     BIGINT      NOT NULL COMMENT 'when the hour began',
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
  PRIMARY KEY (node_group, hour_at),
  INDEX ix_hour_count_hour (hour_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'what happened, by hour: sums of what was in jt_minute_count; later minutes are still there';
