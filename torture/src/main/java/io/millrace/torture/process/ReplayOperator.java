package io.millrace.torture.process;

import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.torture.journal.ReplayJournal;
import io.millrace.torture.load.LoadJob;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests from a running tracker, again and again, to replay every open dead trigger of the load
 * that is meant for it. Each tracker has one, so that several request the same replay, and a replay
 * whose tracker is killed is requested from another one or from its next start.
 */
final class ReplayOperator {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayOperator.class);
  private static final String NAME = "operator";
  private static final long PAUSE_MILLIS = 300;
  private static final long ANSWER_MILLIS = 5_000;
  private static final int PAGE = 100;
  private static final int LOOK_AT = 5_000;

  private static final DeadStore.Query WANTED =
      new DeadStore.Query(null, LoadJob.REPLAYED, DeadState.OPEN, Long.MIN_VALUE, Long.MAX_VALUE);

  private final JobTracker tracker;
  private final ReplayJournal journal;
  private final BooleanSupplier isOver;

  /**
   * @param journal is closed when it is over
   * @param isOver whether to request nothing any more
   */
  ReplayOperator(JobTracker tracker, ReplayJournal journal, BooleanSupplier isOver) {
    this.tracker = tracker;
    this.journal = journal;
    this.isOver = isOver;
  }

  /** Starts the thread, which ends when it is over. */
  void start() {
    Thread thread = new Thread(this::run, "torture-replays");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try (journal) {
      while (!isOver.getAsBoolean()) {
        replayAll();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void replayAll() throws InterruptedException {
    try {
      DeadStore.@Nullable Place behind = null;
      do {
        DeadStore.Found found =
            tracker.stores().dead().search(WANTED, AgeOrder.OLDEST_FIRST, behind, PAGE, LOOK_AT);
        for (DeadTrigger dead : found.dead()) {
          if (isOver.getAsBoolean()) {
            return;
          }
          replay(dead.id());
        }
        behind = found.last();
      } while (behind != null);
    } catch (RuntimeException | ExecutionException | TimeoutException e) {
      LOG.info("not all dead triggers were replayed: {}", e.toString());
    }
  }

  private void replay(long deadId)
      throws InterruptedException, ExecutionException, TimeoutException {
    journal.answered(
        deadId,
        tracker
            .replay(deadId, LoadJob.PARAMS_OF_REPLAYS, NAME)
            .toCompletableFuture()
            .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS));
  }
}
