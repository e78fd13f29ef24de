package io.millrace.jobclient;

/** Receives the outcomes of requests that were saved in the outbox. */
@FunctionalInterface
public interface DeliveryListener {

  /**
   * Receives one outcome. When this method returns, the outcome counts as delivered. When it
   * throws, the client calls it again for the same outcome, at most five times in all. If the
   * process dies during the call, the next process with the same outbox calls its own listener. An
   * outcome may therefore arrive twice; its submission id identifies it.
   *
   * <p>A client calls its listener for one outcome at a time. A call that takes long delays later
   * outcomes. It does not delay the delivery of requests.
   */
  void onDelivered(SavedJobOutcome delivered) throws Exception;
}
