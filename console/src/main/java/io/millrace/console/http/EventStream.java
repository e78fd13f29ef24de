package io.millrace.console.http;

import java.util.concurrent.CompletionStage;

/** Server-sent events to one client, which may disconnect at any time. Thread-safe. */
public interface EventStream {

  /**
   * Sends an event.
   *
   * @param id the id that a reconnecting client sends as the last one it received
   * @param event the type of the event
   * @param data one or more lines
   */
  void send(String id, String event, String data);

  /** Sends a comment, which clients ignore, so that the connection does not appear dead. */
  void keepAlive();

  /** Whether the client can receive more now; otherwise, sent events accumulate in memory. */
  boolean isReady();

  /** Completes when the client has disconnected or the stream was ended. */
  CompletionStage<Void> closed();

  /** Ends the stream. */
  void end();
}
