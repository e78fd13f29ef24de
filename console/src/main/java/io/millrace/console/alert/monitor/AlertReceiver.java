package io.millrace.console.alert.monitor;

/** Receives alerts. Called by one thread at a time. */
public interface AlertReceiver {

  /** The type of receiver, as used in meters: {@code webhook}, {@code mail}. */
  String type();

  /** The name of the receiver, for the log; contains no secret. */
  String name();

  /**
   * Delivers a message; returns when the receiver has accepted it. Blocks, for a bounded time.
   *
   * @param undelivered earlier messages and events that this receiver has not received
   * @throws DeliveryException if the message was not accepted, or may not have been
   */
  void deliver(AlertMessage message, long undelivered);
}
