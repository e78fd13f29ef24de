package io.millrace.jobclient;

/** Is told the outcomes of requests that were saved in the outbox. */
@FunctionalInterface
public interface DeliveryListener {

  /**
   * Takes one outcome. When it returns, the outcome counts as told. When it throws, the outcome is
   * told again, a few times; so is one during which the process dies, by the next process with the
   * same outbox. So an outcome may be told twice; its submission id shows that.
   *
   * <p>Calls of one client come one after another, never two at a time. A call that takes long
   * delays later outcomes, but no delivery.
   */
  void onDelivered(Delivered delivered) throws Exception;
}
