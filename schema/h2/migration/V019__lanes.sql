-- Which workers may run which jobs. Additive: a tracker of the version before goes on beside this one as long as no job requires a label. The file of
-- the same name under mysql/ says the same in MySQL's words; change both or neither.

CREATE TABLE jt_lane (
  node_group VARCHAR(64)   NOT NULL COMMENT 'whose triggers wait in it',
  lane       SMALLINT      NOT NULL COMMENT 'column lane of the waiting table, from 1; never used for other labels',
  labels     VARCHAR(2000) NOT NULL COMMENT 'what a worker must have to run them, sorted, by blanks; #parts: it must know parts of runs',
  CONSTRAINT pk_lane PRIMARY KEY (node_group, lane),
  CONSTRAINT ck_lane CHECK (lane >= 1)
);
COMMENT ON TABLE jt_lane IS 'sets of labels that jobs of a node group require; kept for as long as there is a database';

ALTER TABLE jt_worker ADD COLUMN labels VARCHAR(2000);
COMMENT ON COLUMN jt_worker.labels IS 'what jobs may require of it, sorted, by blanks; null if it has none';
