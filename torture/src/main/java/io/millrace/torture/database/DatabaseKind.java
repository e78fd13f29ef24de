package io.millrace.torture.database;

/** The kinds of database for a run. */
public enum DatabaseKind {
  /** A server that the run starts. */
  MARIADB,
  /** A server that a program outside the build starts for the run. */
  MYSQL,
  /** A cluster of three nodes that a program outside the build starts for the run. */
  GALERA,
  /** Files of the only tracker. */
  H2
}
