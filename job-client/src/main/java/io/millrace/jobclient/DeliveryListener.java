package io.millrace.jobclient;

/** Receives the outcomes of requests that were saved in the outbox. */
@FunctionalInterface
public interface DeliveryListener {

  /**
   * Takes one outcome. When it returns, the outcome counts as delivered. When it throws, it is
   * called again, a few times. If the process dies during the call, the next process with the same
   * outbox calls it again. So an outcome may come twice; its submission id shows that.
   *
   * <p>Calls of one client come one after another, never two at a time. A call that takes long
   * delays later outcomes, but no delivery.
   */
  void onDelivered(SavedJobOutcome delivered) throws Exception;
}
