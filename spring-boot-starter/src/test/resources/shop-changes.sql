--liquibase formatted sql

--changeset shop:1
CREATE TABLE orders AS
  SELECT COUNT(*) AS tables_of_the_tracker FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_name LIKE 'jt\_%';
