package io.millrace.torture.database;

/** What a run keeps its tables in. */
public enum DatabaseKind {
  /** A server that is started for the run. */
  MARIADB,
  /** A server that is started for the run by a program outside the build. */
  MYSQL,
  /** A cluster of three nodes that is started for the run by a program outside the build. */
  GALERA,
  /** Files of the one tracker. */
  H2
}
