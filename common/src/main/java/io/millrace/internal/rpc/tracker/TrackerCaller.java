package io.millrace.internal.rpc.tracker;

import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Session;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests to the tracker that is connected, and moves between trackers. An interface so that
 * tests can replace the connection. Thread-safe.
 */
public interface TrackerCaller extends AutoCloseable {

  /** Adds a listener; call it before {@link #start}, so that the listener misses nothing. */
  void addListener(TrackerConnectionListener listener);

  /** Begins to connect, and reconnects whenever the connection is lost. */
  void start();

  /**
   * Sends a request to the connected tracker.
   *
   * <p>Fails like {@link Session#call}; without a connection it fails at once with UNAVAILABLE,
   * naming the addresses and the last failure.
   */
  <R> CompletableFuture<R> call(Request<R> request, Duration timeout);

  /**
   * Moves to this tracker, which need not be a known one. The old session stays in use until the
   * new one is open, and for good if the new one does not open. The latest call wins.
   */
  void prefer(String address);

  /** Moves to a random other tracker, in the same way, if another one is known. */
  void preferAnother();

  /** Closes the session and stops connecting. Idempotent. */
  @Override
  void close();
}
