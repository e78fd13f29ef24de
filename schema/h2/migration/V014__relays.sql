-- The highest epoch of each relay of stored requests, so that what a frozen relay sends late is refused.
-- Additive: a tracker of the version before goes on beside this one, but refuses no such request. The file of the same
-- name under mysql/ says the same in MySQL's words; change both or neither.

CREATE TABLE jt_relay (
  relay   VARCHAR(64) NOT NULL COMMENT 'a partition of the requests that an application has stored',
  epoch   BIGINT      NOT NULL COMMENT 'the highest one that a request has carried',
  seen_at BIGINT      NOT NULL COMMENT 'when it was carried last',
  CONSTRAINT pk_relay PRIMARY KEY (relay)
);
COMMENT ON TABLE jt_relay IS 'relays of stored requests, until long after the last one';
CREATE INDEX ix_relay_seen ON jt_relay (seen_at, relay);
