-- Changes of all that matches a search, which trackers make in the background. Additive: a tracker of the version before goes on beside this one and makes none of them. The file of the same
-- name under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_bulk_change (
  id           BIGINT        NOT NULL COMMENT 'rises with the time of the request',
  action       VARCHAR(32)   NOT NULL COMMENT 'what is done to each, as in the API',
  search       TEXT          NOT NULL COMMENT 'JSON: which of them; an empty object means all',
  options      MEDIUMTEXT    NOT NULL COMMENT 'JSON: how it is done, such as the reason of a pause',
  requested_at BIGINT        NOT NULL COMMENT 'what was stored, claimed or dead later is left',
  operator     VARCHAR(64)   NOT NULL COMMENT 'name of the token that requested it',
  address      VARCHAR(64)   NOT NULL COMMENT 'where the request came from',
  state        VARCHAR(16)   NOT NULL COMMENT 'ACTIVE, DONE, STOPPED or FAILED',
  total        BIGINT                 COMMENT 'how many matched at first; null if not yet counted, or too many to count',
  done         BIGINT        NOT NULL COMMENT 'how many were tried, failed ones included',
  failed       BIGINT        NOT NULL COMMENT 'how many failed',
  reached      TEXT                   COMMENT 'where the next page begins; null at the beginning',
  failures     MEDIUMTEXT    NOT NULL COMMENT 'JSON: the first that failed, and why',
  owner        BIGINT                 COMMENT 'the run of a tracker that makes it; null if none does now',
  lease_until  BIGINT                 COMMENT 'another tracker may go on with it from then on',
  ended_at     BIGINT                 COMMENT 'null while it is ACTIVE',
  end_reason   VARCHAR(1000)          COMMENT 'who stopped it, or why it failed',
  PRIMARY KEY (id),
  CONSTRAINT ck_bulk_change_state CHECK (state IN ('ACTIVE', 'DONE', 'STOPPED', 'FAILED')),
  INDEX ix_bulk_change_ended (ended_at, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'bulk changes that operators requested, under way and ended';
