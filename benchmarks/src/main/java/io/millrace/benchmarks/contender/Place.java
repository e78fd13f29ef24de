package io.millrace.benchmarks.contender;

/**
 * What a part of a contender is given for one round.
 *
 * @param url of an empty database; for what has none, the address of what it connects to
 * @param user of the database; there is no password
 * @param slots jobs that may run at a time
 * @param port where the part listens, if it does; 0 for any
 * @param advertisedPort by which others reach it; 0 for the same
 */
public record Place(String url, String user, int slots, int port, int advertisedPort) {

  /** Whether the database is H2, and not a server. */
  public boolean isH2() {
    return url.startsWith("jdbc:h2:");
  }
}
