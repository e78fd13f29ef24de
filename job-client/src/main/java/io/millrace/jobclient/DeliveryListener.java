package io.millrace.jobclient;

/** Hears what became of requests that had been saved in the outbox. */
@FunctionalInterface
public interface DeliveryListener {

  /**
   * Takes one answer. When it returns, the answer counts as told. When it throws, the answer is
   * told again, a few times; so is one during which the process dies, by the next process with the
   * same outbox. So an answer may be heard twice, and must then be recognised by its submission id.
   *
   * <p>Calls of one client come one after another, never two at a time. What takes long holds up
   * later answers, but no delivery.
   */
  void onDelivered(Delivered delivered) throws Exception;
}
