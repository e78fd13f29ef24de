package io.millrace.jobtracker.group.batch;

import io.millrace.internal.time.Duty;
import io.millrace.jobtracker.batch.BatchEnder;
import io.millrace.jobtracker.batch.PartRelease;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.ReleaseRoom;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the runs of a node group whose parts have all ended, stops those that a failed part or their
 * deadline stops, and releases further parts of the others. Correct when run twice or by two
 * trackers: rows decide. Not thread-safe.
 */
public final class BatchTask implements Duty {
  /** The time between two runs if nothing wakes the task: for deadlines, and others' changes. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private static final int PAGE = 100;

  private final String group;
  private final Stores stores;
  private final BatchEnder ender;
  private final RunStopper stopper;
  private final PartRelease release;
  private final Signals signals;
  private final IntSupplier slots;

  /**
   * @param slots returns the slots of all workers of the group
   */
  public BatchTask(String group, EngineContext engine, IntSupplier slots) {
    this.group = group;
    this.stores = engine.stores();
    this.ender = new BatchEnder(engine);
    this.stopper = new RunStopper(engine.stores(), engine.ids());
    this.release = new PartRelease(engine.stores(), engine.ids());
    this.signals = engine.signals();
    this.slots = slots;
  }

  /**
   * What one run did.
   *
   * @param ended runs that ended, or whose reduce was released
   * @param stopped runs and executions that were told to stop
   * @param released parts that were moved into waiting
   */
  public record Done(int ended, int stopped, int released) {
    boolean isNothing() {
      return ended == 0 && stopped == 0 && released == 0;
    }
  }

  @Override
  public @Nullable Done runOnce(long now) {
    int ended = endAll(now);
    ReleaseRoom room = new ReleaseRoom();
    int stopped = stopAll(room, now);
    if (stopped > 0) {
      ended += endAll(now);
    }
    int released = room.share(slots.getAsInt(), (id, most) -> release(id, most, now));
    Done done = new Done(ended, stopped, released);
    return done.isNothing() ? null : done;
  }

  /** The end of a run may be that of the last part of another. */
  private int endAll(long now) {
    int ended = 0;
    int before;
    do {
      before = ended;
      for (long id : stores.batches().findAllEnded(group, PAGE)) {
        Optional<BatchEnder.Ended> end = ender.end(group, id, now);
        end.ifPresent(this::tell);
        ended += end.isPresent() ? 1 : 0;
      }
    } while (ended > before);
    return ended;
  }

  private void tell(BatchEnder.Ended ended) {
    signals.triggersStored(group, ended.stored());
    if (ended.hasFeedback()) {
      signals.feedbackStored();
    }
  }

  /** Stops what is to be stopped, and gives the other open batches room. */
  private int stopAll(ReleaseRoom room, long now) {
    int stopped = 0;
    long last = Long.MIN_VALUE;
    List<Batch> page;
    do {
      page = stores.batches().findUnderWay(group, last, PAGE);
      for (Batch batch : page) {
        last = batch.id();
        List<Long> some = stop(batch, now);
        stopped += some.size();
        if (!some.isEmpty()) {
          signals.stopRequested(group, some);
        } else if (batch.state() == BatchState.OPEN) {
          room.add(batch);
        }
      }
    } while (page.size() == PAGE);
    return stopped;
  }

  /** One that is stopping may have runs below that a fault has left out. */
  private List<Long> stop(Batch batch, long now) {
    if (batch.state() == BatchState.STOPPING) {
      return stopper.stopBelow(group, List.of(batch.id()), now);
    }
    BatchStop why = batch.whyToStop(now);
    return why == null ? List.of() : stopper.stopAll(group, batch.id(), why, now);
  }

  /** Releases once more if the parameters were too large for one transaction. */
  private int release(long id, int most, long now) {
    List<WaitingTrigger> all = new ArrayList<>();
    List<WaitingTrigger> some;
    do {
      int left = most - all.size();
      some =
          stores.batches().find(List.of(id)).stream()
              .flatMap(batch -> release.release(batch, slots.getAsInt(), left, now).stream())
              .toList();
      if (!some.isEmpty()) {
        signals.triggersStored(group, some);
      }
      all.addAll(some);
    } while (!some.isEmpty());
    return all.size();
  }
}
