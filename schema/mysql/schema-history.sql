-- The table in which it is noted what has been applied, as Flyway makes and reads it.

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
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
