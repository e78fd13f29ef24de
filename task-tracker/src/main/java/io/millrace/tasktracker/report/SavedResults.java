package io.millrace.tasktracker.report;

import io.millrace.common.outbox.Outbox;
import io.millrace.common.outbox.OutboxFullException;
import io.millrace.common.protocol.ExecutionResult;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes results to the outbox that no tracker acknowledges promptly, and removes them when one
 * does: results that were reported longer ago than {@link #LINGER}, and all results while no
 * tracker is connected or the worker stops. A worker whose results are acknowledged promptly writes
 * almost nothing. At most one write and one removal are under way; results that gather in the
 * meantime are part of the next one.
 *
 * <p>Confined to the loop; the disk has an executor of its own.
 */
final class SavedResults {
  private static final Logger LOG = LoggerFactory.getLogger(SavedResults.class);

  /** How long a result may wait for its acknowledgement before it is written. */
  static final Duration LINGER = Duration.ofMillis(20);

  private static final int MAX_BATCH = 1_000;
  private static final Duration EXPIRE_PACE = Duration.ofMinutes(10);

  private enum State {
    FRESH,
    WRITING,
    SAVED
  }

  /**
   * A result from its report until it is answered and, if it was written, removed from the outbox.
   */
  private static final class Kept {
    final ExecutionResult result;
    final long reportedAt;
    State state = State.FRESH;
    long sequence;
    boolean answered;

    Kept(ExecutionResult result, long reportedAt) {
      this.result = result;
      this.reportedAt = reportedAt;
    }
  }

  private final ResultStore store;
  private final ReportListener listener;
  private final Duration retryDelay;
  private final Consumer<List<Long>> givenUp;
  private final Executor loop;
  private final Timer timer;
  private final Clock clock;
  private final ResultForm form = new ResultForm();

  private final Map<Long, Kept> unanswered = new HashMap<>();

  /**
   * The results in state {@link State#FRESH}, in the order of their reports; some may be answered
   * already.
   */
  private final Deque<Kept> fresh = new ArrayDeque<>();

  private List<Long> toRemove = new ArrayList<>();
  private boolean connected;
  private boolean writing;
  private boolean removing;
  private boolean pausing;
  private boolean failing;
  private boolean full;
  private int limit = MAX_BATCH;
  private Timer.@Nullable Timeout linger;
  private Timer.@Nullable Timeout nextExpiry;
  private @Nullable CompletableFuture<Void> allSaved;

  /**
   * Creates an instance without results.
   *
   * @param givenUp receives the executions whose results have waited for too long
   * @param retryDelay pause before a write or a removal that failed is tried again
   */
  SavedResults(
      ResultStore store,
      ReportListener listener,
      Consumer<List<Long>> givenUp,
      Duration retryDelay,
      Executor loop,
      Timer timer,
      Clock clock) {
    this.store = store;
    this.listener = listener;
    this.givenUp = givenUp;
    this.retryDelay = retryDelay;
    this.loop = loop;
    this.timer = timer;
    this.clock = clock;
  }

  /**
   * Reads the results that an earlier process has left, oldest first. Called once, before any other
   * method.
   */
  List<ExecutionResult> restore() {
    logGivenUp(store.outbox().expire());
    expireLater();
    List<Long> unreadable = new ArrayList<>();
    List<ExecutionResult> results = new ArrayList<>();
    for (Outbox.Entry entry : store.outbox().oldest(Integer.MAX_VALUE, Long.MAX_VALUE)) {
      ExecutionResult result = form.decode(entry);
      if (result == null) {
        unreadable.add(entry.sequence());
      } else {
        Kept kept = new Kept(result, clock.nanoTime());
        kept.state = State.SAVED;
        kept.sequence = entry.sequence();
        unanswered.put(result.executionId(), kept);
        results.add(result);
      }
    }
    store.outbox().remove(unreadable);
    return results;
  }

  /** Adds a result that is about to be sent. */
  void reported(ExecutionResult result) {
    Kept kept = new Kept(result, clock.nanoTime());
    unanswered.put(result.executionId(), kept);
    fresh.add(kept);
    saveDue();
  }

  /** Removes the result of an execution for which the tracker has answered. */
  void answered(long executionId) {
    Kept kept = unanswered.remove(executionId);
    if (kept == null) {
      return;
    }
    kept.answered = true;
    if (kept.state == State.SAVED) {
      toRemove.add(kept.sequence);
      removeAnswered();
    }
  }

  /**
   * Records that a tracker is connected. New results then wait for its answer before they are
   * written.
   */
  void connected() {
    connected = true;
  }

  /** Records that no tracker is connected, and writes the results without further waiting. */
  void disconnected() {
    connected = false;
    saveDue();
  }

  /**
   * Writes all unanswered results without further waiting.
   *
   * @return a future that completes when the results are written, or cannot be written
   */
  CompletableFuture<Void> saveAll() {
    CompletableFuture<Void> saved = new CompletableFuture<>();
    allSaved = saved;
    if (nextExpiry != null) {
      nextExpiry.cancel();
    }
    saveDue();
    notifyIfAllSaved();
    return saved;
  }

  /** Returns the number of unanswered results in the outbox. */
  int saved() {
    return (int) unanswered.values().stream().filter(kept -> kept.state == State.SAVED).count();
  }

  private void saveDue() {
    while (!fresh.isEmpty() && fresh.element().answered) {
      fresh.remove();
    }
    if (fresh.isEmpty()) {
      setFull(false);
      return;
    }
    if (writing || pausing) {
      return;
    }
    long wait = lingerOf(fresh.element());
    if (wait > 0) {
      saveIn(wait);
    } else {
      write(takeDue());
    }
  }

  /** Returns the nanoseconds that this result may still wait for its acknowledgement. */
  private long lingerOf(Kept kept) {
    if (!connected || allSaved != null) {
      return 0;
    }
    return LINGER.toNanos() - (clock.nanoTime() - kept.reportedAt);
  }

  private void saveIn(long nanos) {
    if (linger == null) {
      linger =
          timer.schedule(
              Duration.ofNanos(nanos),
              loop,
              () -> {
                linger = null;
                saveDue();
              });
    }
  }

  private List<Kept> takeDue() {
    List<Kept> due = new ArrayList<>();
    while (!fresh.isEmpty() && due.size() < limit && lingerOf(fresh.element()) <= 0) {
      Kept kept = fresh.remove();
      if (!kept.answered) {
        kept.state = State.WRITING;
        due.add(kept);
      }
    }
    return due;
  }

  private void write(List<Kept> batch) {
    writing = true;
    onDisk(
        () -> store.outbox().addAll(batch.stream().map(kept -> form.encode(kept.result)).toList()),
        sequences -> written(batch, sequences),
        failure -> notWritten(batch, failure));
  }

  private void written(List<Kept> batch, List<Long> sequences) {
    writing = false;
    recovered();
    setFull(false);
    limit = Math.min(MAX_BATCH, 2 * limit);
    for (int i = 0; i < batch.size(); i++) {
      Kept kept = batch.get(i);
      kept.state = State.SAVED;
      kept.sequence = sequences.get(i);
      if (kept.answered) {
        toRemove.add(kept.sequence);
      }
    }
    removeAnswered();
    saveDue();
    notifyIfAllSaved();
  }

  /**
   * Puts results that were not written back into the queue. They wait in memory, where the bound of
   * unacknowledged results applies.
   */
  private void notWritten(List<Kept> batch, RuntimeException failure) {
    writing = false;
    for (int i = batch.size() - 1; i >= 0; i--) {
      batch.get(i).state = State.FRESH;
      fresh.addFirst(batch.get(i));
    }
    if (failure instanceof OutboxFullException && batch.size() > 1) {
      limit = batch.size() / 2;
      saveDue();
      return;
    }
    failed("written to", failure);
    setFull(failure instanceof OutboxFullException);
    pause();
    notifyIfAllSaved();
  }

  private void removeAnswered() {
    if (removing || pausing || toRemove.isEmpty()) {
      return;
    }
    removing = true;
    List<Long> sequences = toRemove;
    toRemove = new ArrayList<>();
    onDisk(
        () -> {
          store.outbox().remove(sequences);
          return sequences;
        },
        this::removed,
        failure -> notRemoved(sequences, failure));
  }

  private void removed(List<Long> sequences) {
    removing = false;
    recovered();
    removeAnswered();
    if (full && !sequences.isEmpty()) {
      saveDue();
    }
    notifyIfAllSaved();
  }

  private void notRemoved(List<Long> sequences, RuntimeException failure) {
    removing = false;
    toRemove.addAll(sequences);
    failed("removed from", failure);
    pause();
    notifyIfAllSaved();
  }

  private void expireLater() {
    nextExpiry =
        timer.schedule(
            EXPIRE_PACE,
            loop,
            () -> {
              expireLater();
              onDisk(
                  store.outbox()::expire,
                  this::expired,
                  failure -> failed("expired from", failure));
            });
  }

  private void expired(List<Outbox.Entry> entries) {
    logGivenUp(entries);
    List<Long> executionIds = entries.stream().map(entry -> Long.parseLong(entry.key())).toList();
    executionIds.forEach(unanswered::remove);
    givenUp.accept(executionIds);
  }

  private void logGivenUp(List<Outbox.Entry> entries) {
    if (!entries.isEmpty()) {
      LOG.error(
          "report: dropped results that were undelivered for more than {}, of executions {}",
          store.outbox().config().maxAge(),
          entries.stream().map(Outbox.Entry::key).toList());
    }
  }

  private void pause() {
    if (pausing) {
      return;
    }
    pausing = true;
    timer.schedule(
        retryDelay,
        loop,
        () -> {
          pausing = false;
          removeAnswered();
          saveDue();
        });
  }

  /**
   * Completes {@link #saveAll} when no write or removal is pending. While they fail, it is not
   * delayed either.
   */
  private void notifyIfAllSaved() {
    boolean atRest = !writing && !removing && (pausing || (fresh.isEmpty() && toRemove.isEmpty()));
    if (allSaved != null && atRest) {
      allSaved.complete(null);
    }
  }

  private void failed(String what, RuntimeException failure) {
    if (!failing) {
      failing = true;
      LOG.error("report: results cannot be {} the outbox; retrying", what, failure);
    }
  }

  private void recovered() {
    if (failing) {
      failing = false;
      LOG.info("report: the outbox can be written again");
    }
  }

  private void setFull(boolean isFull) {
    if (full != isFull) {
      full = isFull;
      listener.outboxFull(isFull);
    }
  }

  /** Runs blocking work on the disk executor, and hands its result or failure over to the loop. */
  private <T> void onDisk(Supplier<T> work, Consumer<T> done, Failed failed) {
    store
        .disk()
        .execute(
            () -> {
              T result;
              try {
                result = work.get();
              } catch (RuntimeException failure) {
                loop.execute(() -> failed.because(failure));
                return;
              }
              loop.execute(() -> done.accept(result));
            });
  }

  private interface Failed {
    void because(RuntimeException failure);
  }
}
