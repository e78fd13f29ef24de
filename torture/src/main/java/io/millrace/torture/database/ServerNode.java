package io.millrace.torture.database;

import io.millrace.torture.node.Node;
import io.millrace.torture.node.Signal;
import io.millrace.torture.node.StopTimes;
import io.millrace.torture.node.Watched;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A database server that listens on loopback and is restarted on the same files. */
public abstract class ServerNode implements Node {
  /** The user with all privileges; has no password. */
  public static final String USER = "root";

  private static final long STOP_MILLIS = 60_000;
  private static final long STOP_GUESS_MILLIS = 1_000;
  private static final int READY_SECONDS = 180;
  private static final long PROBE_MILLIS = 100;

  private final String name;
  private final int port;
  private final StopTimes stopTimes = new StopTimes(STOP_GUESS_MILLIS);
  private @Nullable Watched server;

  /**
   * @param port the server's own port, not that of a proxy
   */
  ServerNode(String name, int port) {
    this.name = name;
    this.port = port;
  }

  /** Starts the process; returns when the process exists. */
  abstract Watched launch();

  /**
   * Checks whether the server accepts queries, and creates what a run needs.
   *
   * @throws SQLException if the server does not accept queries yet
   */
  abstract void look(Connection connection) throws SQLException;

  /** Returns the driver options for this server, starting with the question mark; may be empty. */
  abstract String options();

  @Override
  public final String name() {
    return name;
  }

  /** Returns the server's own port, not that of a proxy. */
  public final int port() {
    return port;
  }

  /** Starts the server and returns when it accepts queries. */
  @Override
  public synchronized void start() {
    server = launch();
    awaitServing();
  }

  /** Sets the process, which was already started together with others. */
  final synchronized void adopt(Watched begun) {
    server = begun;
  }

  /** Waits until the server accepts queries; after a kill, the server recovers first. */
  final void awaitServing() {
    for (int i = 0; i < READY_SECONDS * 1_000 / PROBE_MILLIS; i++) {
      try (Connection connection =
          DriverManager.getConnection(
              "jdbc:mysql://127.0.0.1:" + port + "/" + options(), USER, "")) {
        look(connection);
        return;
      } catch (SQLException notYet) {
        pause();
      }
    }
    throw new IllegalStateException(name + " is not ready; see its logs");
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PROBE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + name + " to start", e);
    }
  }

  @Override
  public synchronized void kill() {
    Watched process = server;
    server = null;
    if (process != null) {
      process.kill();
    }
  }

  @Override
  public synchronized boolean stop() {
    Watched process = server;
    server = null;
    if (process == null) {
      return true;
    }
    long asked = System.nanoTime();
    process.send(Signal.TERM);
    boolean ended = process.awaitEnd(STOP_MILLIS);
    stopTimes.ended(asked);
    process.kill();
    return ended;
  }

  @Override
  public synchronized boolean stopCutShort(double moment) {
    Watched process = server;
    server = null;
    if (process == null) {
      return false;
    }
    process.send(Signal.TERM);
    boolean ended = process.awaitEnd(stopTimes.until(moment));
    process.kill();
    return !ended;
  }

  @Override
  public synchronized void freeze() {
    if (server != null) {
      server.send(Signal.STOP);
    }
  }

  @Override
  public synchronized void thaw() {
    if (server != null) {
      server.send(Signal.CONT);
      awaitServing();
    }
  }

  @Override
  public synchronized boolean revive() {
    if (server == null || server.isAlive()) {
      return false;
    }
    kill();
    start();
    return true;
  }
}
