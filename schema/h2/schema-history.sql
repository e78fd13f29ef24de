-- The table in which it is noted what has been applied, as Flyway makes and reads it.

CREATE TABLE IF NOT EXISTS "jt_schema_history" (
  "installed_rank" INT           NOT NULL,
  "version"        VARCHAR(50),
  "description"    VARCHAR(200)  NOT NULL,
  "type"           VARCHAR(20)   NOT NULL,
  "script"         VARCHAR(1000) NOT NULL,
  "checksum"       INT,
  "installed_by"   VARCHAR(100)  NOT NULL,
  "installed_on"   TIMESTAMP     DEFAULT CURRENT_TIMESTAMP NOT NULL,
  "execution_time" INT           NOT NULL,
  "success"        BOOLEAN       NOT NULL,
  CONSTRAINT "jt_schema_history_pk" PRIMARY KEY ("installed_rank")
);
CREATE INDEX IF NOT EXISTS "jt_schema_history_s_idx" ON "jt_schema_history" ("success");
