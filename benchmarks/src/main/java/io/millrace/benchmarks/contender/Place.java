package io.millrace.benchmarks.contender;

/**
 * The settings of a part of a contender for one round.
 *
 * @param url the URL of an empty database; for a part without a database, the address to connect to
 * @param user the user of the database; there is no password
 * @param slots the number of jobs that may run at a time
 * @param port the port on which the part listens, if it does; 0 for any
 * @param advertisedPort the port to which others connect; 0 for the same
 */
public record Place(String url, String user, int slots, int port, int advertisedPort) {

  /** Returns whether the database is H2, and not a server. */
  public boolean isH2() {
    return url.startsWith("jdbc:h2:");
  }
}
