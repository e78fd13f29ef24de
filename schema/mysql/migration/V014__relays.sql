-- The highest epoch of each relay of stored requests, so that what a frozen relay sends late is refused.
-- Additive: a tracker of the version before goes on beside this one, but refuses no such request. The file of the same
-- name under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_relay (
  relay   VARCHAR(64) NOT NULL COMMENT 'a partition of the requests that an application has stored',
  epoch   BIGINT      NOT NULL COMMENT 'the highest one that a request has carried',
  seen_at BIGINT      NOT NULL COMMENT 'when it was carried last',
  PRIMARY KEY (relay),
  INDEX ix_relay_seen (seen_at, relay)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'relays of stored requests, until long after the last one';
