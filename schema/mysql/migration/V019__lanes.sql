-- Which workers may run which jobs. Additive: a tracker of the version before goes on beside this one as long as no job requires a label. The file of
-- the same name under h2/ says the same in H2's words; change both or neither.

CREATE TABLE jt_lane (
  node_group VARCHAR(64)   NOT NULL COMMENT 'whose triggers wait in it',
  lane       SMALLINT      NOT NULL COMMENT 'column lane of the waiting table, from 1; never used for other labels',
  labels     VARCHAR(2000) NOT NULL COMMENT 'what a worker must have to run them, sorted, by blanks; #parts: it must know parts of runs',
  PRIMARY KEY (node_group, lane),
  CONSTRAINT ck_lane CHECK (lane >= 1)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT = 'sets of labels that jobs of a node group require; kept for as long as there is a database';

ALTER TABLE jt_worker
  ADD COLUMN labels VARCHAR(2000) COMMENT 'what jobs may require of it, sorted, by blanks; null if it has none';
