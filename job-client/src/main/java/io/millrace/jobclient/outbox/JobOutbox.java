package io.millrace.jobclient.outbox;

import io.millrace.common.codec.CodecException;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.model.SubmitStatus;
import io.millrace.common.outbox.Outbox;
import io.millrace.common.outbox.OutboxConfig;
import io.millrace.common.outbox.OutboxFullException;
import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.Timer;
import io.millrace.jobclient.ClientParts;
import io.millrace.jobclient.Delivered;
import io.millrace.jobclient.DeliveryListener;
import io.millrace.jobclient.submit.JobKey;
import io.millrace.jobclient.submit.Keeper;
import io.millrace.jobclient.submit.ToKeep;
import io.millrace.jobclient.submit.TrackerLink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's outbox. Requests that are to be kept gather while the disk is busy, and are written
 * together; what a tracker has answered is removed together in the same way. While a tracker is
 * connected, entries are read, a bounded number at a time, and carried to it.
 *
 * <p>Thread-safe. The disk is used by one thread at a time, on the executor for it or in {@link
 * #close}.
 */
public final class JobOutbox implements Keeper, AutoCloseable {
  static final int MAX_UNDER_WAY = 1_000;
  static final long MAX_BYTES_UNDER_WAY = 4 << 20;

  private static final Duration EXPIRY_PERIOD = Duration.ofMinutes(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(JobOutbox.class);

  private final Outbox outbox;
  private final Executor executor;
  private final Timer timer;
  private final TrackerLink link;
  private final DeliveryNews news;
  private final RepeatedTimer expiry;

  /** Held while the disk is used; never entered under another lock. */
  private final Object disk = new Object();

  private final Deque<ToKeep> unwritten = new ArrayDeque<>();
  private final Lines lines = new Lines();
  private final Map<Long, UnderWay> underWay = new HashMap<>();
  private final Set<Long> finished = new LinkedHashSet<>();
  private final List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
  private volatile @Nullable Courier courier;
  private Timer.@Nullable Timeout retry;
  private long bytesUnderWay;
  private boolean wanted;
  private boolean running;
  private boolean stale;
  private boolean closed;

  private JobOutbox(Outbox outbox, ClientParts parts, TrackerLink link) {
    this.outbox = outbox;
    this.executor = parts.disk();
    this.timer = parts.timer();
    this.link = link;
    this.news = new DeliveryNews(parts.listeners(), parts.tasks(), parts.timer());
    this.expiry =
        new RepeatedTimer(
            "outbox-expiry",
            parts.timer(),
            parts.disk(),
            parts.clock(),
            Pace.every(EXPIRY_PERIOD),
            parts.random(),
            Duty.counting("requests given up", now -> expire()));
  }

  /**
   * Opens the outbox of a directory. What an earlier process has left in it is held at once, and
   * delivered once this is started.
   *
   * @throws io.millrace.common.outbox.OutboxException if the directory is in use, or cannot be used
   */
  public static JobOutbox open(OutboxConfig config, ClientParts parts, TrackerLink link) {
    Outbox outbox = Outbox.open(config, parts.clock());
    JobOutbox opened = new JobOutbox(outbox, parts, link);
    opened.learnEntries();
    int left = outbox.size();
    if (left > 0) {
      LOG.info("outbox {}: {} requests of an earlier run are left", config.directory(), left);
    }
    return opened;
  }

  /** Begins to deliver, through this courier. */
  public void start(Courier newCourier) {
    courier = newCourier;
    expiry.start();
    expiry.wake();
    flush();
  }

  /** Sets who hears the ends of entries. */
  public void listener(DeliveryListener listener) {
    news.listener(listener);
  }

  /** How many entries there are. */
  public int size() {
    return outbox.size();
  }

  /** Bytes of the entries. */
  public long bytes() {
    return outbox.bytes();
  }

  /** Complete with true when nothing is held, or with false after {@link #nobodyDelivers}. */
  public synchronized CompletableFuture<Boolean> whenEmpty() {
    CompletableFuture<Boolean> waiter = new CompletableFuture<>();
    if (lines.isEmpty()) {
      waiter.complete(true);
    } else {
      waiters.add(waiter);
    }
    return waiter;
  }

  /** Whoever waits for entries to be delivered is told that it will take long. */
  public void nobodyDelivers() {
    tellWaiters(false);
  }

  @Override
  public synchronized boolean holds(JobKey key) {
    return lines.holds(key.toString());
  }

  @Override
  public synchronized void keep(ToKeep request) {
    lines.hold(request.key().toString());
    unwritten.addLast(request);
  }

  /**
   * Writes, removes, reads and carries whatever there is; called when a tracker is connected, too.
   */
  @Override
  public void flush() {
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
    List<Runnable> afterwards = new ArrayList<>();
    synchronized (disk) {
      try {
        write(afterwards);
        remove();
        read(afterwards);
      } catch (RuntimeException failure) {
        LOG.error("outbox: tried again in {}", PAUSE_AFTER_FAILURE, failure);
        runLater();
      }
    }
    afterwards.forEach(Runnable::run);
  }

  private synchronized void runLater() {
    if (!closed) {
      retry = timer.schedule(PAUSE_AFTER_FAILURE, executor, this::flush);
    }
  }

  /** Of a write that failed it is not known what it wrote. */
  private void learnAnew() {
    if (stale && !closed) {
      learnEntries();
      stale = false;
    }
  }

  private void learnEntries() {
    for (String key : outbox.keys()) {
      for (Outbox.Entry entry : outbox.ofKey(key)) {
        synchronized (this) {
          if (!lines.knows(entry.sequence())) {
            lines.hold(key);
            lines.add(key, entry.sequence());
          }
        }
      }
    }
  }

  private void write(List<Runnable> afterwards) {
    List<ToKeep> requests;
    synchronized (this) {
      requests = List.copyOf(unwritten);
      unwritten.clear();
    }
    List<ToKeep> encodable = new ArrayList<>();
    List<Outbox.NewEntry> entries = new ArrayList<>();
    for (ToKeep request : requests) {
      try {
        byte[] body = SavedRequest.encode(request);
        entries.add(new Outbox.NewEntry(request.key().toString(), body));
        encodable.add(request);
      } catch (CodecException unwritable) {
        notKept(request, unwritable, afterwards);
      }
    }
    write(encodable, entries, afterwards);
  }

  /** All together if they fit, and otherwise those that do. */
  private void write(
      List<ToKeep> requests, List<Outbox.NewEntry> entries, List<Runnable> afterwards) {
    try {
      learnAnew();
      List<Long> sequences = outbox.addAll(entries);
      for (int i = 0; i < requests.size(); i++) {
        kept(requests.get(i), sequences.get(i), afterwards);
      }
    } catch (OutboxFullException full) {
      if (requests.size() == 1) {
        notKept(requests.get(0), full, afterwards);
        return;
      }
      for (int i = 0; i < requests.size(); i++) {
        write(List.of(requests.get(i)), List.of(entries.get(i)), afterwards);
      }
    } catch (RuntimeException failure) {
      stale = true;
      runLater();
      requests.forEach(request -> notKept(request, failure, afterwards));
    }
  }

  private synchronized void kept(ToKeep request, long sequence, List<Runnable> afterwards) {
    lines.add(request.key().toString(), sequence);
    afterwards.add(() -> request.told().accept(null));
  }

  private synchronized void notKept(
      ToKeep request, RuntimeException failure, List<Runnable> afterwards) {
    lines.letGo(request.key().toString());
    afterwards.add(() -> request.told().accept(failure));
  }

  private void remove() {
    List<Long> gone;
    synchronized (this) {
      gone = List.copyOf(finished);
    }
    if (gone.isEmpty() || closed) {
      return;
    }
    outbox.remove(gone);
    boolean empty;
    synchronized (this) {
      gone.forEach(finished::remove);
      gone.forEach(lines::remove);
      empty = lines.isEmpty();
    }
    if (empty) {
      LOG.info("outbox: everything is delivered");
      tellWaiters(true);
    }
  }

  private void tellWaiters(boolean empty) {
    List<CompletableFuture<Boolean>> told;
    synchronized (this) {
      told = List.copyOf(waiters);
      waiters.clear();
    }
    told.forEach(waiter -> waiter.complete(empty));
  }

  private void read(List<Runnable> afterwards) {
    Courier known = courier;
    if (known == null) {
      return;
    }
    for (Long sequence = takeNext(); sequence != null; sequence = takeNext()) {
      Outbox.Entry entry = read(sequence);
      if (entry != null) {
        afterwards.add(() -> carry(known, entry));
      }
    }
  }

  private synchronized @Nullable Long takeNext() {
    boolean mayTake =
        !closed
            && link.session() != null
            && lines.underWay() < MAX_UNDER_WAY
            && bytesUnderWay < MAX_BYTES_UNDER_WAY;
    return mayTake ? lines.take() : null;
  }

  private Outbox.@Nullable Entry read(long sequence) {
    Optional<Outbox.Entry> entry;
    try {
      entry = outbox.entry(sequence);
    } catch (RuntimeException failure) {
      synchronized (this) {
        lines.putBack(sequence);
      }
      throw failure;
    }
    synchronized (this) {
      if (entry.isEmpty()) {
        LOG.error("outbox: entry {} was lost with a damaged file", sequence);
        lines.remove(sequence);
        return null;
      }
      bytesUnderWay += entry.get().body().length;
    }
    return entry.get();
  }

  private void carry(Courier known, Outbox.Entry entry) {
    Instant savedAt = Instant.ofEpochMilli(entry.storedAt());
    SavedRequest request;
    try {
      request = SavedRequest.decode(entry.body());
    } catch (CodecException unreadable) {
      ended(entry, givenUp(entry, "it cannot be read: " + unreadable.getMessage()));
      return;
    }
    UnderWay way = new UnderWay(entry.body().length);
    synchronized (this) {
      if (!lines.knows(entry.sequence())) {
        bytesUnderWay -= way.bytes;
        return;
      }
      underWay.put(entry.sequence(), way);
    }
    try {
      way.answer = known.carry(request, savedAt, delivered -> ended(entry, delivered));
    } catch (IllegalStateException closing) {
      LOG.debug("outbox: {} is delivered by the next process", request.key());
    }
  }

  private void ended(Outbox.Entry entry, Delivered delivered) {
    synchronized (this) {
      underWay.remove(entry.sequence());
      if (closed || !lines.end(entry.sequence())) {
        return;
      }
      bytesUnderWay -= entry.body().length;
    }
    log(delivered);
    news.tell(delivered, () -> finish(entry.sequence()));
    flush();
  }

  private void finish(long sequence) {
    synchronized (this) {
      finished.add(sequence);
    }
    flush();
  }

  private static void log(Delivered delivered) {
    SubmitResult submitted = delivered.submitted();
    boolean isBad =
        !delivered.isAnswered()
            || (submitted != null && submitted.status() == SubmitStatus.REJECTED);
    if (isBad) {
      LOG.warn("outbox: {}", Sentences.of(delivered));
    } else {
      LOG.debug("outbox: {}", Sentences.of(delivered));
    }
  }

  /** Gives up what is too old; returns how many. */
  private long expire() {
    List<Outbox.Entry> expired;
    synchronized (disk) {
      expired = closed ? List.of() : outbox.expire();
    }
    expired.forEach(this::expired);
    flush();
    return expired.size();
  }

  private void expired(Outbox.Entry entry) {
    boolean waited;
    boolean empty;
    UnderWay way;
    synchronized (this) {
      way = underWay.remove(entry.sequence());
      waited = lines.end(entry.sequence());
      bytesUnderWay -= way == null ? 0 : way.bytes;
      finished.remove(entry.sequence());
      lines.remove(entry.sequence());
      empty = lines.isEmpty();
    }
    if (way != null && way.answer != null) {
      way.answer.cancel(false);
    }
    if (waited) {
      Delivered delivered =
          givenUp(entry, "no tracker has answered for " + outbox.config().maxAge());
      log(delivered);
      news.tell(delivered, () -> {});
    }
    if (empty) {
      tellWaiters(true);
    }
  }

  private static Delivered givenUp(Outbox.Entry entry, String why) {
    Instant savedAt = Instant.ofEpochMilli(entry.storedAt());
    try {
      SavedRequest request = SavedRequest.decode(entry.body());
      return new Delivered(
          request.nodeGroup(), request.taskId(), request.submission(), savedAt, null, null, why);
    } catch (CodecException unreadable) {
      return new Delivered("", entry.key(), null, savedAt, null, null, why);
    }
  }

  /** Writes what is to be kept, and lets go of the directory. Entries stay. Idempotent. */
  @Override
  public void close() {
    expiry.destroy();
    news.close();
    courier = null;
    do {
      pass();
    } while (hasUnwritten());
    synchronized (disk) {
      synchronized (this) {
        closed = true;
        if (retry != null) {
          retry.cancel();
        }
      }
      outbox.close();
    }
    tellWaiters(false);
  }

  private synchronized boolean hasUnwritten() {
    return !unwritten.isEmpty();
  }

  /** An entry that was given to the courier. */
  private static final class UnderWay {
    private final long bytes;
    private volatile @Nullable Future<?> answer;

    private UnderWay(long bytes) {
      this.bytes = bytes;
    }
  }
}
