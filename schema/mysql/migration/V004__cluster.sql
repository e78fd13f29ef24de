-- What all trackers of this store share without being configured for it. Additive: a tracker of the
-- version before goes on beside this one. The file of the same name under h2/ says the same in H2's
-- words; change both or neither.

CREATE TABLE jt_cluster (
  name     VARCHAR(64)   NOT NULL COMMENT 'what it is',
  content  VARCHAR(256)  NOT NULL COMMENT 'made by the first tracker that asked for it; never changed',
  PRIMARY KEY (name)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
  COMMENT 'what all trackers share: the secret they prove to one another';
