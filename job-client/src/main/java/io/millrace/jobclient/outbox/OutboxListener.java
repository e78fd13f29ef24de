package io.millrace.jobclient.outbox;

/** Receives the outcomes of saved requests. */
@FunctionalInterface
public interface OutboxListener {

  /** Takes one outcome. When it throws, it is called again, a few times. */
  void onOutcome(OutboxOutcome outcome) throws Exception;
}
