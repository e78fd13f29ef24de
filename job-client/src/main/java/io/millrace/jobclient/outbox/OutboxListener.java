package io.millrace.jobclient.outbox;

/** Is told the outcomes of saved requests. */
@FunctionalInterface
public interface OutboxListener {

  /** Takes one outcome. When it throws, the outcome is told again, a few times. */
  void onOutcome(OutboxOutcome outcome) throws Exception;
}
