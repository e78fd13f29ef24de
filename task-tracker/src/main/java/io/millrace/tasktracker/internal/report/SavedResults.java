package io.millrace.tasktracker.internal.report;

import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.outbox.OutboxFullException;
import io.millrace.internal.outbox.OutboxPump;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.time.TimedExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes results to the outbox that no tracker acknowledges promptly, and removes them when one
 * does: results that were reported longer ago than {@link LingeringResults#LINGER}, and all results
 * while no tracker is connected or the worker stops. A worker whose results are acknowledged
 * promptly writes almost nothing. A result that cannot be written waits in memory, where the bound
 * of unacknowledged results applies.
 *
 * <p>Confined to the loop, except {@link #close}.
 */
final class SavedResults {
  private static final Duration EXPIRY_PERIOD = Duration.ofMinutes(10);

  private final Outbox outbox;
  private final ReportListener listener;
  private final TimedExecutor loop;
  private final ResultForm form = new ResultForm();
  private final OutboxPump<KeptResult> pump;
  private final LingeringResults lingering;
  private final Consumer<List<Long>> givenUp;
  private final Map<Long, KeptResult> unanswered = new HashMap<>();

  /** The number of writes and removals that no pass has confirmed. */
  private int unconfirmed;

  /** Whether the last pass has failed, so that the pump pauses. */
  private boolean pausing;

  private boolean full;
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
      TimedExecutor loop) {
    this.outbox = store.outbox();
    this.listener = listener;
    this.givenUp = givenUp;
    this.loop = loop;
    this.lingering = new LingeringResults(this::save, loop);
    this.pump = new OutboxPump<>(outbox, new Passes(), retryDelay, store.disk(), loop.timer());
  }

  /**
   * Reads the results that an earlier process has left, oldest first. Called once, before any other
   * method.
   */
  List<ExecutionResult> restore() {
    List<Long> unused = form.givenUp(outbox.expire(), outbox.config().maxAge());
    pump.expireEvery(EXPIRY_PERIOD);
    List<Long> unreadable = new ArrayList<>();
    List<ExecutionResult> results = new ArrayList<>();
    for (Outbox.Entry entry : outbox.entries()) {
      ExecutionResult result = form.decode(entry);
      if (result == null) {
        unreadable.add(entry.sequence());
      } else {
        KeptResult kept = new KeptResult(result, loop.clock().nanoTime());
        kept.sequence = entry.sequence();
        unanswered.put(result.executionId(), kept);
        results.add(result);
      }
    }
    outbox.remove(unreadable);
    return results;
  }

  /** Adds a result that is about to be sent. */
  void reported(ExecutionResult result) {
    KeptResult kept = new KeptResult(result, loop.clock().nanoTime());
    unanswered.put(result.executionId(), kept);
    lingering.add(kept);
  }

  /** Removes the result of an execution for which the tracker has answered. */
  void answered(long executionId) {
    KeptResult kept = unanswered.remove(executionId);
    if (kept == null) {
      return;
    }
    kept.answered = true;
    if (kept.sequence != null) {
      remove(kept.sequence);
      flush();
    } else if (pump.discard(kept)) {
      unconfirmed--;
      settle();
    }
  }

  /**
   * Records that a tracker is connected. New results then wait for its answer before they are
   * written.
   */
  void connected() {
    lingering.lingers(allSaved == null);
  }

  /** Records that no tracker is connected, and writes the results without further waiting. */
  void disconnected() {
    lingering.lingers(false);
  }

  /**
   * Writes all unanswered results without further waiting.
   *
   * @return a future that completes when the results are written, or cannot be written
   */
  CompletableFuture<Void> saveAll() {
    CompletableFuture<Void> saved = new CompletableFuture<>();
    allSaved = saved;
    lingering.lingers(false);
    settle();
    return saved;
  }

  /** Returns the number of unanswered results in the outbox. */
  int saved() {
    return (int) unanswered.values().stream().filter(kept -> kept.sequence != null).count();
  }

  /** Closes the outbox. Uses the disk. */
  void close() {
    pump.close();
  }

  private void save(List<KeptResult> due) {
    due.forEach(this::add);
    flush();
  }

  private void add(KeptResult kept) {
    pump.add(kept);
    unconfirmed++;
  }

  private void remove(long sequence) {
    pump.remove(sequence);
    unconfirmed++;
  }

  /** Begins a pass. While the pump pauses, its next pass includes what was added meanwhile. */
  private void flush() {
    if (!pausing) {
      pump.flush();
    }
  }

  private void passed(OutboxPump.Pass<KeptResult> pass) {
    boolean isFull =
        pass.written().stream().anyMatch(each -> each.failure() instanceof OutboxFullException);
    boolean hasPaused = pausing;
    pausing = pass.failed() || isFull;
    unconfirmed -= pass.removed().size() + pass.written().size();
    int before = unconfirmed;
    pass.written().forEach(this::written);
    giveUp(pass.expired());
    if (!pass.written().isEmpty()) {
      setFull(isFull);
    }
    if (isFull) {
      pump.flushLater();
    } else if (unconfirmed > (hasPaused ? 0 : before)) {
      flush();
    }
    settle();
  }

  private void written(OutboxPump.Written<KeptResult> result) {
    KeptResult kept = result.item();
    if (result.failure() == null) {
      kept.sequence = result.sequence();
      if (kept.answered) {
        remove(kept.sequence);
      }
    } else if (pausing && !kept.answered) {
      add(kept);
    }
  }

  private void giveUp(List<Outbox.Entry> expired) {
    if (!expired.isEmpty()) {
      List<Long> executionIds = form.givenUp(expired, outbox.config().maxAge());
      executionIds.forEach(unanswered::remove);
      givenUp.accept(executionIds);
    }
  }

  /**
   * Completes {@link #saveAll} when no write or removal is unconfirmed. While they fail, it is not
   * delayed either.
   */
  private void settle() {
    if (unconfirmed == 0) {
      setFull(false);
    }
    if (allSaved != null && (unconfirmed == 0 || pausing)) {
      allSaved.complete(null);
    }
  }

  private void setFull(boolean isFull) {
    if (full != isFull) {
      full = isFull;
      listener.outboxFull(isFull);
    }
  }

  private final class Passes implements OutboxPump.Owner<KeptResult> {

    @Override
    public Outbox.NewEntry encode(KeptResult kept) {
      return form.encode(kept.result);
    }

    @Override
    public Runnable passed(OutboxPump<KeptResult> owned, OutboxPump.Pass<KeptResult> pass) {
      return () -> loop.execute(() -> SavedResults.this.passed(pass));
    }
  }
}
