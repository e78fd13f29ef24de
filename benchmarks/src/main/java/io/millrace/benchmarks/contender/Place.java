package io.millrace.benchmarks.contender;

/**
 * The settings of a part of a contender for one round.
 *
 * @param url the URL of an empty database; for a part without a database, the address to connect to
 * @param user the user of the database; there is no password
 * @param slots the number of jobs that may run at a time
 * @param port the port on which the part listens, if it does; 0 for any
 * @param advertisedPort the port to which others connect; 0 for the same
 * @param groups the number of node groups over which jobs are spread; of the contenders, Millrace
 *     has such
 * @param connections the most connections of a tracker to its database; 0 for the default
 */
public record Place(
    String url, String user, int slots, int port, int advertisedPort, int groups, int connections) {

  /** Returns a place with one node group and the default number of connections, at any port. */
  public static Place of(String url, String user, int slots) {
    return new Place(url, user, slots, 0, 0, 1, 0);
  }

  /** Returns the same place at this port, and with the one to which others connect. */
  public Place at(int newPort, int newAdvertisedPort) {
    return new Place(url, user, slots, newPort, newAdvertisedPort, groups, connections);
  }

  /** Returns the same place with this number of node groups. */
  public Place over(int newGroups) {
    return new Place(url, user, slots, port, advertisedPort, newGroups, connections);
  }

  /** Returns the same place with this number of connections to the database. */
  public Place connecting(int newConnections) {
    return new Place(url, user, slots, port, advertisedPort, groups, newConnections);
  }

  /** Returns whether the database is H2, and not a server. */
  public boolean isH2() {
    return url.startsWith("jdbc:h2:");
  }
}
