-- Who may operate, and what they did. The file of the same name under mysql/ says the same in MySQL's words; change both or neither.

CREATE TABLE jt_operator_token (
  id         BIGINT       NOT NULL COMMENT 'of this token',
  name       VARCHAR(64)  NOT NULL COMMENT 'who holds it, as the audit names them',
  role       VARCHAR(16)  NOT NULL COMMENT 'VIEW, OPERATE or ADMIN',
  token_hash VARCHAR(64)  NOT NULL COMMENT 'SHA-256 of the token, in hex: the token itself is nowhere',
  created_at BIGINT       NOT NULL COMMENT 'when it was issued',
  created_by VARCHAR(64)  NOT NULL COMMENT 'name of the operator who issued it',
  revoked_at BIGINT                COMMENT 'when it stopped being good; null if it is good',
  CONSTRAINT pk_operator_token PRIMARY KEY (id),
  CONSTRAINT uq_operator_token_name UNIQUE (name),
  CONSTRAINT uq_operator_token_hash UNIQUE (token_hash),
  CONSTRAINT ck_operator_token_role CHECK (role IN ('VIEW', 'OPERATE', 'ADMIN'))
);
COMMENT ON TABLE jt_operator_token IS 'tokens of operators; a revoked one stays, so that its name stands for one person for ever';

CREATE TABLE jt_operator_session (
  session_hash VARCHAR(64)  NOT NULL COMMENT 'SHA-256 of the cookie, in hex',
  token_id     BIGINT    NOT NULL COMMENT 'the token it was begun with',
  created_at   BIGINT    NOT NULL COMMENT 'when it began',
  expires_at   BIGINT    NOT NULL COMMENT 'when it ends by itself',
  CONSTRAINT pk_operator_session PRIMARY KEY (session_hash)
);
COMMENT ON TABLE jt_operator_session IS 'browsers that are signed in';
CREATE INDEX ix_operator_session_expires ON jt_operator_session (expires_at);
CREATE INDEX ix_operator_session_token ON jt_operator_session (token_id);

CREATE TABLE jt_audit (
  id       BIGINT        NOT NULL COMMENT 'of this entry; rises with time',
  asked_at BIGINT        NOT NULL COMMENT 'when the change was asked for',
  operator VARCHAR(64)   NOT NULL COMMENT 'name of the token it was asked with',
  role     VARCHAR(16)   NOT NULL COMMENT 'of that token',
  address  VARCHAR(64)   NOT NULL COMMENT 'where the request came from',
  action   VARCHAR(64)   NOT NULL COMMENT 'the operation, as the OpenAPI document names it',
  target   VARCHAR(1024) NOT NULL COMMENT 'what it was asked of: the path of the request',
  detail   VARCHAR(4000)          COMMENT 'the body of the request, cut at this length; null if it had none or holds a secret',
  status   INT                    COMMENT 'HTTP status of the answer; null if the process ended before there was one',
  outcome  VARCHAR(1000)          COMMENT 'why it was refused or failed; null if it was done',
  CONSTRAINT pk_audit PRIMARY KEY (id)
);
COMMENT ON TABLE jt_audit IS 'changes that operators asked for; a row is written before the change, and its last two columns once, after it';
