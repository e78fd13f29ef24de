-- The table in which Flyway notes what has been applied, as Flyway itself makes it.

CREATE TABLE IF NOT EXISTS jt_schema_history (
  installed_rank INT           NOT NULL,
  version        VARCHAR(50),
  description    VARCHAR(200)  NOT NULL,
  type           VARCHAR(20)   NOT NULL,
  script         VARCHAR(1000) NOT NULL,
  checksum       INT,
  installed_by   VARCHAR(100)  NOT NULL,
  installed_on   TIMESTAMP     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  execution_time INT           NOT NULL,
  success        BOOLEAN       NOT NULL,
  PRIMARY KEY (installed_rank),
  INDEX jt_schema_history_s_idx (success)
);
