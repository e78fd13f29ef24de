package io.millrace.jobclient.outbox;

import io.millrace.common.outbox.Outbox;
import io.millrace.common.outbox.OutboxConfig;
import io.millrace.common.time.Timer;
import io.millrace.jobclient.request.JobKey;
import io.millrace.jobclient.request.TrackerLink;
import io.millrace.jobclient.resources.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's outbox. It works in passes: each pass writes new requests, removes finished entries,
 * and reads and sends the entries that may be sent.
 *
 * <p>Thread-safe. One thread at a time uses the disk: a thread of the disk executor, or the thread
 * in {@link #close}.
 */
public final class JobOutbox implements AutoCloseable {
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(JobOutbox.class);

  private final Outbox outbox;
  private final HeldRequests held = new HeldRequests();
  private final OutboxWriter writer;
  private final OutboxDelivery delivery;
  private final DeliveryNotifier notifier;
  private final EmptyOutboxWaiters waiters;
  private final Executor executor;
  private final Timer timer;

  /** The lock that is held while the disk is used; never acquired under another lock. */
  private final Object disk = new Object();

  private Timer.@Nullable Timeout retry;
  private boolean wanted;
  private boolean running;
  private boolean closed;

  private JobOutbox(Outbox outbox, ClientResources resources, TrackerLink link) {
    this.outbox = outbox;
    this.executor = resources.disk();
    this.timer = resources.timer();
    this.writer = new OutboxWriter(outbox, held);
    this.delivery = new OutboxDelivery(outbox, held, link);
    this.notifier = new DeliveryNotifier(resources.listeners(), resources.tasks(), timer);
    this.waiters = new EmptyOutboxWaiters(held, link);
  }

  /**
   * Opens the outbox of a directory. Requests that an earlier process left in it are held at once,
   * and delivered after {@link #start}.
   *
   * @throws io.millrace.common.outbox.OutboxException if the directory is in use or cannot be used
   */
  public static JobOutbox open(OutboxConfig config, ClientResources resources, TrackerLink link) {
    JobOutbox opened = new JobOutbox(Outbox.open(config, resources.clock()), resources, link);
    opened.writer.readEntries();
    int left = opened.size();
    if (left > 0) {
      LOG.info(
          "outbox {}: {} requests of an earlier run will be delivered", config.directory(), left);
    }
    return opened;
  }

  /** Begins to deliver saved requests. */
  public void start(OutboxSender sender) {
    delivery.sender(sender);
    flush();
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
    writer.add(request);
  }

  /** Begins to write the added requests. Never called under a lock. */
  public void writeAdded() {
    if (writer.hasUnwritten()) {
      flush();
    }
  }

  /** Begins to deliver. Called when a tracker is connected. */
  public void connected() {
    waiters.connected();
    flush();
  }

  /** Begins a pass. Never called under a lock. */
  private void flush() {
    synchronized (this) {
      wanted = true;
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::run);
    } catch (RejectedExecutionException closing) {
      run();
    }
  }

  private void run() {
    while (true) {
      synchronized (this) {
        if (!wanted) {
          running = false;
          return;
        }
        wanted = false;
      }
      pass();
    }
  }

  private void pass() {
    List<OutboxWriter.Written> written = new ArrayList<>();
    List<Outbox.Entry> read = new ArrayList<>();
    boolean removed = false;
    synchronized (disk) {
      boolean failed = false;
      try {
        written.addAll(writer.write());
        removed = !isClosed() && writer.removeFinished();
        delivery.readNext(read);
      } catch (RuntimeException failure) {
        LOG.error("outbox: a pass failed; retrying in {}", PAUSE_AFTER_FAILURE, failure);
        failed = true;
      }
      if (failed || writer.isUncertain()) {
        flushLater();
      }
    }
    if (removed && held.isEmpty()) {
      LOG.info("outbox: all requests have been delivered");
      waiters.notifyEmpty();
    }
    written.forEach(OutboxWriter.Written::complete);
    read.forEach(this::send);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void flushLater() {
    if (!closed) {
      retry = timer.schedule(PAUSE_AFTER_FAILURE, executor, this::flush);
    }
  }

  private void send(Outbox.Entry entry) {
    delivery.send(entry).thenAccept(outcome -> answered(entry.sequence(), outcome));
  }

  private void answered(long sequence, OutboxOutcome outcome) {
    if (isClosed() || !held.answered(sequence)) {
      return;
    }
    log(outcome);
    notifier.notify(
        outcome,
        () -> {
          writer.finish(sequence);
          flush();
        });
    flush();
  }

  private static void log(OutboxOutcome outcome) {
    if (outcome.isBad()) {
      LOG.warn("outbox: {}", outcome.describe());
    } else if (LOG.isDebugEnabled()) {
      LOG.debug("outbox: {}", outcome.describe());
    }
  }

  /** Gives up requests that are too old, and returns their number. */
  public long expire() {
    List<Outbox.Entry> expired;
    synchronized (disk) {
      expired = isClosed() ? List.of() : outbox.expire();
    }
    expired.forEach(this::expired);
    flush();
    return expired.size();
  }

  private void expired(Outbox.Entry entry) {
    boolean unanswered = held.answered(entry.sequence());
    writer.forget(entry.sequence());
    delivery.cancel(entry.sequence());
    if (unanswered) {
      String why = "no tracker has answered for " + outbox.config().maxAge();
      OutboxOutcome outcome = OutboxOutcome.givenUp(entry, why);
      log(outcome);
      notifier.notify(outcome, () -> {});
    }
    if (held.isEmpty()) {
      waiters.notifyEmpty();
    }
  }

  /** Writes the added requests and releases the directory. Entries stay on the disk. Idempotent. */
  @Override
  public void close() {
    notifier.close();
    delivery.sender(null);
    do {
      pass();
    } while (writer.hasUnwritten());
    synchronized (disk) {
      synchronized (this) {
        closed = true;
        if (retry != null) {
          retry.cancel();
        }
      }
      outbox.close();
    }
    waiters.notifyUndeliverable();
  }
}
