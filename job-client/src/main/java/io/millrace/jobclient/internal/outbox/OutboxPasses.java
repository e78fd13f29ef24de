package io.millrace.jobclient.internal.outbox;

import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.outbox.OutboxPump;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's part of each pass over the disk: records which requests are held, gives up those
 * that are too old, and reads and sends the entries that may be sent. Thread-safe.
 */
final class OutboxPasses implements OutboxPump.Owner<OutboxRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxPasses.class);

  private final Outbox outbox;
  private final HeldRequests held;
  private final OutboxDelivery delivery;
  private final DeliveryNotifier notifier;
  private final EmptyOutboxWaiters waiters;

  OutboxPasses(
      Outbox outbox,
      HeldRequests held,
      OutboxDelivery delivery,
      DeliveryNotifier notifier,
      EmptyOutboxWaiters waiters) {
    this.outbox = outbox;
    this.held = held;
    this.delivery = delivery;
    this.notifier = notifier;
    this.waiters = waiters;
  }

  @Override
  public Outbox.NewEntry encode(OutboxRequest request) {
    return new Outbox.NewEntry(request.key().toString(), SavedRequest.encode(request));
  }

  /** Reads which entries are on the disk. */
  @Override
  public void findWritten() {
    outbox.keys().forEach((sequence, key) -> held.found(key, sequence));
  }

  @Override
  public Runnable passed(OutboxPump<OutboxRequest> pump, OutboxPump.Pass<OutboxRequest> pass) {
    List<Outbox.Entry> unanswered =
        pass.expired().stream().filter(entry -> held.removed(entry.sequence())).toList();
    pass.removed().forEach(held::removed);
    pass.written().forEach(this::hold);
    List<Outbox.Entry> read = new ArrayList<>();
    try {
      delivery.readNext(read);
    } catch (RuntimeException failure) {
      pump.failed(failure);
    }
    return () -> {
      unanswered.forEach(this::giveUp);
      notifyIfEmpty(pass);
      pass.written().forEach(result -> result.item().written(result.failure()));
      read.forEach(delivery::send);
    };
  }

  private void hold(OutboxPump.Written<OutboxRequest> result) {
    String key = result.item().key().toString();
    if (result.failure() == null) {
      held.stored(key, result.sequence());
    } else {
      held.release(key);
    }
  }

  private void giveUp(Outbox.Entry entry) {
    delivery.cancel(entry.sequence());
    String why = "no tracker has answered for " + outbox.config().maxAge();
    notifier.notify(OutboxOutcome.givenUp(entry, why), () -> {});
  }

  private void notifyIfEmpty(OutboxPump.Pass<OutboxRequest> pass) {
    boolean anyRemoved = !pass.removed().isEmpty() || !pass.expired().isEmpty();
    if (anyRemoved && held.isEmpty()) {
      LOG.info("outbox: no request is left");
      waiters.notifyEmpty();
    }
  }
}
