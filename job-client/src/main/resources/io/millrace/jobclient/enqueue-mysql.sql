-- The tables for jobs that an application enqueues in its own transactions, in the application's database: for MySQL and
-- MariaDB. The file enqueue-standard.sql beside this one says the same for PostgreSQL and H2. Add it to the migrations of
-- the application; another prefix than millrace_ must be given to TransactionalJobs and to JobRelay too.

CREATE TABLE millrace_enqueued (
  id            BIGINT       NOT NULL AUTO_INCREMENT,
  submission_id VARCHAR(40)  NOT NULL,
  node_group    VARCHAR(64)  NOT NULL,
  task_id       VARCHAR(256) NOT NULL,
  partition_no  INT          NOT NULL,
  kind          VARCHAR(16)  NOT NULL,
  body          MEDIUMTEXT   NOT NULL,
  body_bytes    INT          NOT NULL,
  created_at    BIGINT       NOT NULL,
  first_sent_at BIGINT,
  CONSTRAINT pk_millrace_enqueued PRIMARY KEY (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE INDEX ix_millrace_enqueued ON millrace_enqueued (partition_no, id);

CREATE TABLE millrace_enqueued_rejected (
  id            BIGINT       NOT NULL AUTO_INCREMENT,
  submission_id VARCHAR(40)  NOT NULL,
  node_group    VARCHAR(64)  NOT NULL,
  task_id       VARCHAR(256) NOT NULL,
  partition_no  INT          NOT NULL,
  kind          VARCHAR(16)  NOT NULL,
  body          MEDIUMTEXT   NOT NULL,
  body_bytes    INT          NOT NULL,
  created_at    BIGINT       NOT NULL,
  first_sent_at BIGINT,
  rejected_at   BIGINT       NOT NULL,
  reason        VARCHAR(64)  NOT NULL,
  message       VARCHAR(1000),
  CONSTRAINT pk_millrace_enqueued_rejected PRIMARY KEY (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE millrace_enqueued_lease (
  partition_no  INT          NOT NULL,
  relay         VARCHAR(40),
  holder        VARCHAR(40),
  epoch         BIGINT       NOT NULL,
  lease_until   BIGINT       NOT NULL,
  CONSTRAINT pk_millrace_enqueued_lease PRIMARY KEY (partition_no)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
INSERT INTO millrace_enqueued_lease (partition_no, epoch, lease_until)
  VALUES (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0), (6, 0, 0), (7, 0, 0),
         (8, 0, 0), (9, 0, 0), (10, 0, 0), (11, 0, 0), (12, 0, 0), (13, 0, 0), (14, 0, 0), (15, 0, 0);
