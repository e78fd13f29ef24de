package io.millrace.console.http.server;

import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Refusals;
import io.millrace.console.http.Refusals.Reason;
import io.millrace.console.http.server.Connection.Phase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connections, from the moment they are accepted. Their number is bounded, and no connection
 * may stay idle for long. If there is no room, a new connection replaces the one that has been idle
 * longest, unauthenticated ones first. A deadline limits a whole request, not the time between
 * bytes. Times are monotonic milliseconds. Thread-safe.
 */
final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  private final HttpLimits limits;
  private final Refusals refusals;
  private final Map<String, Connection> open = new HashMap<>();
  private final Tally refused;
  private final Tally slow;

  Connections(HttpLimits limits, Refusals refusals) {
    this.limits = limits;
    this.refusals = refusals;
    this.refused =
        new Tally(
            count ->
                LOG.warn(
                    "console: closed {} connections, because a limit was reached ({} in total,"
                        + " {} from one address)",
                    count,
                    limits.connections(),
                    limits.connectionsPerAddress()));
    this.slow =
        new Tally(
            count ->
                LOG.warn(
                    "console: closed {} connections that were too slow to send a request or to"
                        + " read its answer",
                    count));
  }

  /** The key of a connection. */
  static String peer(String address, int port) {
    return address + ' ' + port;
  }

  /** Adds a connection that was just accepted; empty if there is no room. */
  synchronized Optional<Connection> accept(InetSocketAddress from, Connection.Line line, long now) {
    InetAddress host = from.getAddress();
    String address = host.getHostAddress();
    Connection fresh =
        new Connection(peer(address, from.getPort()), address, host.isLoopbackAddress(), line, now);
    boolean room = fresh.ofThisMachine || hasRoomFor(address, now);
    if (room && open.size() >= limits.connections()) {
      boolean unused = makeRoom(any -> true, now);
      fresh.keptForHealth = open.size() >= limits.connections();
      room = open.size() < limits.connections() + HttpLimits.KEPT_FOR_HEALTH;
    }
    if (!room) {
      count(now);
      return Optional.empty();
    }
    open.put(fresh.peer, fresh);
    return Optional.of(fresh);
  }

  private boolean hasRoomFor(String address, long now) {
    Predicate<Connection> same = other -> other.address.equals(address);
    return open.values().stream().filter(same).count() < limits.connectionsPerAddress()
        || makeRoom(same, now);
  }

  private boolean makeRoom(Predicate<Connection> among, long now) {
    Optional<Connection> least =
        open.values().stream()
            .filter(among.and(connection -> connection.rankToGo() >= 0))
            .min(
                Comparator.comparingInt(Connection::rankToGo)
                    .thenComparingLong(connection -> connection.since));
    least.ifPresent(
        connection -> {
          count(now);
          close(connection);
        });
    return least.isPresent();
  }

  private void count(long now) {
    refusals.refused(Reason.CONNECTION);
    refused.add(now);
  }

  private void close(Connection connection) {
    open.remove(connection.peer, connection);
    connection.line.close();
  }

  /** Removes a closed connection. */
  synchronized void gone(Connection connection) {
    open.remove(connection.peer, connection);
  }

  /** The open connection of this peer; null if there is none. */
  synchronized @Nullable Connection find(String address, int port) {
    return open.get(peer(address, port));
  }

  synchronized int size() {
    return open.size();
  }

  /** Bytes in memory that peers have not received yet, over all connections. */
  synchronized long unsentBytes() {
    return open.values().stream().mapToLong(connection -> connection.line.unsentBytes()).sum();
  }

  /** The head of a request has arrived; the deadline of its body depends on its length. */
  synchronized void received(Connection connection, long bodyBytes, long now) {
    connection.requests++;
    receiving(connection, bodyBytes, now);
  }

  /** The server starts to read the body; the deadline counts from now. */
  synchronized void receiving(Connection connection, long bodyBytes, long now) {
    enter(connection, Phase.RECEIVING, now);
    connection.deadline = now + limits.millisFor(bodyBytes);
  }

  /** The request carried a valid token or session. */
  synchronized void known(Connection connection) {
    connection.known = true;
  }

  /** The client waits for this server, so no deadline applies. */
  synchronized void answering(Connection connection, long now) {
    enter(connection, Phase.ANSWERING, now);
  }

  /**
   * The request will be rejected after a delay; until then, its connection is the first to make
   * room for others.
   */
  synchronized void heldBack(Connection connection, long now) {
    connection.known = false;
    enter(connection, Phase.WAITING, now);
  }

  /** The server starts to stream events. */
  synchronized void streaming(Connection connection, long now) {
    enter(connection, Phase.STREAMING, now);
  }

  /**
   * The server starts to send the answer.
   *
   * @return the number of the request on this connection, for {@link #sent}
   */
  synchronized long sending(Connection connection, long bytes, long now) {
    enter(connection, Phase.SENDING, now);
    connection.deadline = now + limits.millisFor(bytes);
    return connection.requests;
  }

  /**
   * The answer to this request was sent. The next request may have arrived already; then the phase
   * stays.
   */
  synchronized void sent(Connection connection, long request, long now) {
    if (connection.requests == request) {
      enter(connection, Phase.WAITING, now);
    }
  }

  /** The event stream has ended. */
  synchronized void ended(Connection connection, long now) {
    if (connection.phase == Phase.STREAMING) {
      enter(connection, Phase.WAITING, now);
    }
  }

  private static void enter(Connection connection, Phase phase, long now) {
    connection.phase = phase;
    connection.since = now;
  }

  /** Closes connections past their deadline; called periodically. */
  synchronized void closeOverdue(long now) {
    List<Connection> overdue = new ArrayList<>();
    for (Connection connection : open.values()) {
      boolean late =
          switch (connection.phase) {
            case WAITING -> now - connection.since > idleMillis(connection);
            case RECEIVING, SENDING -> now > connection.deadline;
            case ANSWERING, STREAMING -> false;
          };
      if (late) {
        overdue.add(connection);
      }
    }
    for (Connection connection : overdue) {
      if (connection.phase != Phase.WAITING || connection.requests == 0) {
        refusals.refused(Reason.SLOW);
        slow.add(now);
      }
      close(connection);
    }
    refused.reportIfDue(now);
    slow.reportIfDue(now);
  }

  private long idleMillis(Connection connection) {
    if (connection.requests == 0) {
      return limits.patience().toMillis();
    }
    return (connection.known ? limits.idle() : limits.strangersIdle()).toMillis();
  }
}
