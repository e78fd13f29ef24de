package io.millrace.jobclient.internal.outbox;

import io.millrace.api.OutboxConfig;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.outbox.OutboxPump;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.Timer;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's outbox. In each pass over the disk it writes new requests, removes finished entries,
 * and reads the entries that may be sent; it sends them when the pass has ended.
 *
 * <p>Thread-safe.
 */
public final class JobOutbox implements AutoCloseable {
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Duration EXPIRY_PERIOD = Duration.ofMinutes(1);
  private static final Logger LOG = LoggerFactory.getLogger(JobOutbox.class);

  private final Outbox outbox;
  private final HeldRequests held = new HeldRequests();
  private final OutboxDelivery delivery;
  private final DeliveryNotifier notifier;
  private final EmptyOutboxWaiters waiters;
  private final OutboxPasses passes;
  private final OutboxPump<OutboxRequest> pump;

  private JobOutbox(Outbox outbox, ClientResources resources, TrackerLink link) {
    Timer timer = resources.timer();
    this.outbox = outbox;
    this.delivery = new OutboxDelivery(outbox, held, link);
    this.notifier = new DeliveryNotifier(resources.listeners(), resources.tasks(), timer);
    this.waiters = new EmptyOutboxWaiters(held, link);
    this.passes = new OutboxPasses(outbox, held, delivery, notifier, waiters);
    this.pump = new OutboxPump<>(outbox, passes, PAUSE_AFTER_FAILURE, resources.disk(), timer);
  }

  /**
   * Opens the outbox of a directory. Requests that an earlier process left in it are held at once,
   * and delivered after {@link #start}.
   *
   * @throws io.millrace.api.OutboxException if the directory is in use or cannot be used
   */
  public static JobOutbox open(OutboxConfig config, ClientResources resources, TrackerLink link) {
    JobOutbox opened = new JobOutbox(Outbox.open(config, resources.clock()), resources, link);
    opened.passes.findWritten();
    int left = opened.size();
    if (left > 0) {
      LOG.info(
          "outbox {}: {} requests of an earlier run will be delivered", config.directory(), left);
    }
    return opened;
  }

  /** Begins to deliver saved requests, and to give up those that are too old. */
  public void start(OutboxSender sender) {
    delivery.start(sender, this::answered);
    pump.expireEvery(EXPIRY_PERIOD);
    pump.flush();
  }

  /** Sets the listener that receives the outcomes. */
  public void listener(OutboxListener listener) {
    notifier.listener(listener);
  }

  /** Returns the number of entries. */
  public int size() {
    return outbox.size();
  }

  /** Returns the bytes of the entries. */
  public long bytes() {
    return outbox.bytes();
  }

  /** Returns the threads that wait for an empty outbox. */
  public EmptyOutboxWaiters waiters() {
    return waiters;
  }

  /**
   * Returns whether a request for this key is held. Every later request for the key must then be
   * saved behind it.
   */
  public boolean holds(JobKey key) {
    return held.holds(key.toString());
  }

  /**
   * Adds a request, which is held from now on; {@link #writeAdded} writes it. Works in memory only:
   * does not block, and may be called under a lock.
   */
  public void add(OutboxRequest request) {
    held.hold(request.key().toString());
    pump.add(request);
  }

  /** Begins to write the added requests. Never called under a lock. */
  public void writeAdded() {
    if (pump.hasUnwritten()) {
      pump.flush();
    }
  }

  /** Begins to deliver. Called when a tracker is connected. */
  public void connected() {
    waiters.connected();
    pump.flush();
  }

  private void answered(long sequence, OutboxOutcome outcome) {
    if (pump.isClosed() || !held.answered(sequence)) {
      return;
    }
    notifier.notify(
        outcome,
        () -> {
          pump.remove(sequence);
          pump.flush();
        });
    pump.flush();
  }

  /** Writes the added requests and releases the directory. Entries stay on the disk. Idempotent. */
  @Override
  public void close() {
    notifier.close();
    delivery.stop();
    pump.close();
    waiters.notifyUndeliverable();
  }
}
