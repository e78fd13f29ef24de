package io.millrace.jobclient.internal.outbox;

/** Receives the outcomes of saved requests. */
@FunctionalInterface
public interface OutboxListener {

  /**
   * Receives one outcome. When this method throws, it is called again, at most five times in all.
   */
  void onOutcome(OutboxOutcome outcome) throws Exception;
}
