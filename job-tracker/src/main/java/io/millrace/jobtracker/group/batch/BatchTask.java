package io.millrace.jobtracker.group.batch;

import io.millrace.internal.time.Duty;
import io.millrace.jobtracker.batch.BatchEnder;
import io.millrace.jobtracker.batch.PartRelease;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the runs of a node group whose parts have all ended, and releases further parts of the
 * others. Correct when run twice or by two trackers: rows decide. Not thread-safe.
 */
public final class BatchTask implements Duty {
  /** The time between two runs if nothing wakes the task: for what another tracker ended. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private static final int PAGE = 100;

  private final String group;
  private final Stores stores;
  private final BatchEnder ender;
  private final PartRelease release;
  private final Signals signals;
  private final IntSupplier slots;
  private volatile BatchStats stats = BatchStats.NONE;

  /**
   * @param slots returns the slots of all workers of the group
   */
  public BatchTask(
      String group,
      Stores stores,
      BatchEnder ender,
      PartRelease release,
      Signals signals,
      IntSupplier slots) {
    this.group = group;
    this.stores = stores;
    this.ender = ender;
    this.release = release;
    this.signals = signals;
    this.slots = slots;
  }

  /**
   * What one run did.
   *
   * @param ended runs that ended
   * @param released parts that were moved into waiting
   */
  public record Done(int ended, int released) {}

  @Override
  public @Nullable Done runOnce(long now) {
    Done done = new Done(endAll(now), releaseAll(now));
    return done.ended() == 0 && done.released() == 0 ? null : done;
  }

  private int endAll(long now) {
    int ended = 0;
    List<Long> page;
    do {
      page = stores.batches().findAllEnded(group, PAGE);
      for (long id : page) {
        ended += ender.end(group, id, now).map(this::tell).orElse(0);
      }
    } while (page.size() == PAGE);
    return ended;
  }

  private int tell(BatchEnder.Ended ended) {
    signals.triggersStored(group, ended.stored());
    if (ended.hasFeedback()) {
      signals.feedbackStored();
    }
    return 1;
  }

  /** The batches under way as the last run saw them; any thread may ask. */
  public BatchStats stats() {
    return stats;
  }

  private int releaseAll(long now) {
    int released = 0;
    BatchStats seen = BatchStats.NONE;
    long last = Long.MIN_VALUE;
    List<Batch> page;
    do {
      page = stores.batches().findUnderWay(group, last, PAGE);
      for (Batch batch : page) {
        last = batch.id();
        seen = seen.plus(batch, now);
        if (batch.state() == BatchState.OPEN
            && ReleaseWindow.toRelease(batch.counts(), slots.getAsInt()) > 0) {
          released += release(batch.id(), now);
        }
      }
    } while (page.size() == PAGE);
    stats = seen;
    return released;
  }

  private int release(long id, long now) {
    List<WaitingTrigger> rows =
        stores.batches().find(List.of(id)).stream()
            .flatMap(batch -> release.release(batch, slots.getAsInt(), now).stream())
            .toList();
    if (!rows.isEmpty()) {
      signals.triggersStored(group, rows);
    }
    return rows.size();
  }
}
