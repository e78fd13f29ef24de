package io.millrace.console.http.server;

/** An open connection, as {@link Connections} knows it, whose lock guards what changes. */
final class Connection {
  /** What a connection does. */
  enum Phase {
    /** No request has arrived whole: there is none, or a part of its head. */
    WAITING,
    /** A request's head is here, its body on the way. */
    RECEIVING,
    /** It waits for this server: to learn who asks, or for the answer. */
    ANSWERING,
    /** The answer is on its way. */
    SENDING,
    /** Events are sent as they come. */
    STREAMING
  }

  /** The network's end of it. */
  interface Line {
    void close();

    /** Bytes that wait in memory for the peer to take them. */
    long unsentBytes();
  }

  final String peer;
  final String address;
  final boolean ofThisMachine;
  final Line line;
  Phase phase = Phase.WAITING;
  long since;
  long deadline;
  long requests;
  boolean known;
  boolean keptForHealth;

  Connection(String peer, String address, boolean ofThisMachine, Line line, long now) {
    this.peer = peer;
    this.address = address;
    this.ofThisMachine = ofThisMachine;
    this.line = line;
    this.since = now;
  }

  /** Which goes first when there is no room: the lowest; -1 for never. */
  int rankToGo() {
    return switch (phase) {
      case WAITING -> known ? 1 : 0;
      case RECEIVING, ANSWERING, SENDING -> known ? -1 : 2;
      case STREAMING -> -1;
    };
  }
}
