package io.millrace.console.http;

import java.util.concurrent.CompletionStage;

/** Server-sent events to one reader, which may leave at any time. Thread-safe. */
public interface EventStream {

  /**
   * Sends an event.
   *
   * @param id what a reader that comes back names as the last it had
   * @param event its kind
   * @param data one line, or several
   */
  void send(String id, String event, String data);

  /** Sends something that readers pass over, so that nobody takes the connection for dead. */
  void keepAlive();

  /** Whether the reader takes more now; otherwise what is sent gathers in memory. */
  boolean isReady();

  /** Completes when the reader has left or the stream was ended. */
  CompletionStage<Void> closed();

  /** Ends the stream. */
  void end();
}
