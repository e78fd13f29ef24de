package io.millrace.jobtracker.alert;

/** Somebody who is told. Called by one thread at a time. */
public interface AlertReceiver {

  /** What it is, as meters call it: {@code webhook}, {@code mail}. */
  String type();

  /** Who it is, for the log; nothing that is secret. */
  String name();

  /**
   * Tells a message; returns when it was taken. Blocks, for a bounded time.
   *
   * @param undelivered messages before it that this receiver has not had
   * @throws DeliveryException if it was not taken, or may not have been
   */
  void deliver(AlertMessage message, long undelivered);
}
