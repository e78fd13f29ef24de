package io.millrace.jobtracker.group.batch;

import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Duty;
import io.millrace.jobtracker.batch.LostParts;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.BoundParts;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.engine.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ends the waiting parts of a node group that are for workers that are gone. Looks at what memory
 * holds, and costs no statement if it holds none. A part is ended as if it were claimed: until its
 * outcome no worker gets it. Correct when run twice or by two trackers: rows decide.
 */
public final class LostWorkersTask implements Duty {
  /** The time between two looks. */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  private final String group;
  private final WaitingHeads heads;
  private final Predicate<BoundTo> isGone;
  private final LostParts lost;
  private final Signals signals;
  private final Clock clock;

  /**
   * @param isGone whether a worker does not come back as it was
   */
  public LostWorkersTask(
      String group,
      WaitingHeads heads,
      Predicate<BoundTo> isGone,
      LostParts lost,
      Signals signals,
      Clock clock) {
    this.group = group;
    this.heads = heads;
    this.isGone = isGone;
    this.lost = lost;
    this.signals = signals;
    this.clock = clock;
  }

  /**
   * What one run did.
   *
   * @param ended parts that ended, or that had ended before
   */
  public record Done(int ended) {}

  @Override
  public @Nullable Done runOnce(long now) {
    BoundParts bound = heads.bound();
    if (bound.isEmpty()) {
      return null;
    }
    List<WaitingTrigger> parts = new ArrayList<>();
    for (BoundTo worker : bound.workers()) {
      if (isGone.test(worker)) {
        parts.addAll(bound.takeAllOf(worker));
      }
    }
    int count = parts.size();
    end(parts);
    return count == 0 ? null : new Done(count);
  }

  private void end(List<WaitingTrigger> left) {
    try {
      while (!left.isEmpty()) {
        List<WaitingTrigger> some = left.subList(0, portionOf(left));
        Map<Long, BatchProgress> batches = lost.end(group, some, clock.millis());
        heads.bound().settle(idsOf(some));
        some.clear();
        signals.batchesChanged(group, batches);
      }
    } finally {
      heads.bound().putBack(idsOf(left), clock.millis());
    }
  }

  /** How many of these parts one transaction may end. */
  private static int portionOf(List<WaitingTrigger> parts) {
    int count = 0;
    long bytes = 0;
    for (WaitingTrigger part : parts.subList(0, Math.min(LostParts.MOST, parts.size()))) {
      bytes += part.params().bytes();
      if (count > 0 && bytes > LostParts.MOST_BYTES) {
        break;
      }
      count++;
    }
    return count;
  }

  private static List<Long> idsOf(List<WaitingTrigger> parts) {
    return parts.stream().map(WaitingTrigger::id).toList();
  }
}
