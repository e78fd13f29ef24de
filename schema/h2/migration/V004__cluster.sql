-- What all trackers of this store share without being configured for it. Additive: a tracker of the
-- version before goes on beside this one. The file of the same name under mysql/ says the same in
-- MySQL's words; change both or neither.

CREATE TABLE jt_cluster (
  name     VARCHAR(64)   NOT NULL COMMENT 'what it is',
  content  VARCHAR(256)  NOT NULL COMMENT 'made by the first tracker that asked for it; never changed',
  CONSTRAINT pk_cluster PRIMARY KEY (name)
);
COMMENT ON TABLE jt_cluster IS 'what all trackers share: the secret they prove to one another';
