package io.millrace.console.http.server;

/** An open connection. The lock of {@link Connections} guards its mutable fields. */
final class Connection {
  /** The phase of a connection. */
  enum Phase {
    /** No complete request head has arrived. */
    WAITING,
    /** A request head has arrived, and its body is being received. */
    RECEIVING,
    /** The client waits for this server to authenticate the request or to answer it. */
    ANSWERING,
    /** The answer is being sent. */
    SENDING,
    /** Events are being streamed. */
    STREAMING
  }

  /** The network side of a connection. */
  interface Line {
    void close();

    /** Bytes in memory that the peer has not received yet. */
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

  /**
   * The rank for closing connections when there is no room: the lowest is closed first; -1 is never
   * closed.
   */
  int rankToGo() {
    return switch (phase) {
      case WAITING -> known ? 1 : 0;
      case RECEIVING, ANSWERING, SENDING -> known ? -1 : 2;
      case STREAMING -> -1;
    };
  }
}
