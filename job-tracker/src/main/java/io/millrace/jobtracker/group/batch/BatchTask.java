package io.millrace.jobtracker.group.batch;

import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Duty;
import io.millrace.jobtracker.batch.BatchEnder;
import io.millrace.jobtracker.batch.PartRelease;
import io.millrace.jobtracker.batch.PartRelease.Released;
import io.millrace.jobtracker.batch.PartWithdrawal;
import io.millrace.jobtracker.batch.StagedRemains;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.engine.WakeUp;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.Stopping;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the runs of a node group whose parts have all ended, stops those that a failed part or their
 * deadline stops, releases further parts of the others, and finishes what others began and left.
 * What this tracker committed it is told of, and looks at these batches only; it searches for
 * others, and for deadlines, at its start and then every {@link #PERIOD}; while the group has no
 * batches, that is one read. Correct when run twice or by two trackers: rows decide. Runs do not
 * overlap; {@link #changed} may be called at any time.
 */
public final class BatchTask implements Duty {
  /** The time between two searches: for what another tracker ended, or began and left. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(BatchTask.class);
  private static final int PAGE = 100;

  /** The most batches to be looked at; of more, all are searched. */
  private static final int MOST_CHANGED = 10_000;

  private final String group;
  private final Stores stores;
  private final Steps steps;
  private final Signals signals;
  private final IntSupplier slots;
  private final WakeUp soon;
  private final Clock clock;
  private volatile BatchStats stats = BatchStats.NONE;
  private final Set<Long> changed = new TreeSet<>();
  private final Set<Stopping> withdrawn = new HashSet<>();
  private final ReleaseRoom room;
  private long searchAt = Long.MIN_VALUE;

  /** What is done with one batch, each in transactions of its own. */
  public record Steps(
      BatchEnder ender, PartRelease release, PartWithdrawal withdrawal, StagedRemains remains) {}

  /**
   * @param slots returns the slots of all workers of the group
   * @param soon wakes the timer that runs this
   * @param clock tells the time of each step: a pass over many batches takes a while
   */
  public BatchTask(
      String group,
      Stores stores,
      Steps steps,
      Signals signals,
      IntSupplier slots,
      WakeUp soon,
      Clock clock) {
    this.group = group;
    this.stores = stores;
    this.steps = steps;
    this.signals = signals;
    this.slots = slots;
    this.soon = soon;
    this.clock = clock;
    this.room = new ReleaseRoom(stores.batches());
  }

  /**
   * What one run did.
   *
   * @param ended runs that ended, or whose reduce was released
   * @param stopped runs that were told to end
   * @param released parts that were moved into waiting
   */
  public record Done(int ended, int stopped, int released) {
    static final Done NOTHING = new Done(0, 0, 0);

    Done plus(Done other) {
      return new Done(ended + other.ended, stopped + other.stopped, released + other.released);
    }
  }

  /** Batches changed, and are so far now. Costs nothing if they go on as they are. */
  public void changed(Map<Long, BatchProgress> batches) {
    boolean any = false;
    for (Map.Entry<Long, BatchProgress> each : batches.entrySet()) {
      if (isToBeLookedAt(each.getValue())) {
        any = true;
        synchronized (changed) {
          changed.add(each.getKey());
        }
      }
    }
    if (any) {
      soon.wake();
    }
  }

  private boolean isToBeLookedAt(BatchProgress batch) {
    return batch.counts().isAllEnded()
        || batch.isToStop()
        || ReleaseWindow.toRelease(batch.counts(), slots.getAsInt()) > 0;
  }

  @Override
  public @Nullable Done runOnce(long now) {
    Set<Long> ids = takeChanged();
    ids.addAll(room.begin());
    boolean searches = now >= searchAt || now < searchAt - PERIOD.toMillis();
    if (ids.size() > MOST_CHANGED) {
      ids = Set.of();
      searches = true;
    }
    searchAt = searches ? Long.MIN_VALUE : searchAt;
    Done done = moveOn(ids);
    if (searches) {
      done = done.plus(search(now));
      searchAt = now + PERIOD.toMillis();
    }
    done = done.plus(moveOnWhatFollows());
    return done.equals(Done.NOTHING) ? null : done;
  }

  /** The end of a run may be that of the last part of another, or stop it. */
  private Done moveOnWhatFollows() {
    Done done = Done.NOTHING;
    for (Set<Long> ids = takeChanged(); !ids.isEmpty(); ids = takeChanged()) {
      done = done.plus(moveOn(ids));
    }
    return done;
  }

  private Set<Long> takeChanged() {
    synchronized (changed) {
      Set<Long> taken = new TreeSet<>(changed);
      changed.clear();
      return taken;
    }
  }

  private Done moveOn(Iterable<Long> ids) {
    Done done = Done.NOTHING;
    for (long id : ids) {
      done = done.plus(moveOn(id));
    }
    return done;
  }

  /** One that fails does not hold up the others, and is found again by the next search. */
  private Done moveOn(long id) {
    return attempt(
        id,
        Done.NOTHING,
        () ->
            stores.batches().find(List.of(id)).stream()
                .filter(batch -> batch.state().isUnderWay())
                .map(batch -> moveOn(batch, clock.millis()))
                .findFirst()
                .orElse(Done.NOTHING));
  }

  private Done moveOn(Batch batch, long now) {
    if (batch.counts().isAllEnded()) {
      return new Done(steps.ender().end(group, batch.id()).map(this::tell).orElse(0), 0, 0);
    }
    BatchStop why = batch.whyToStop(now);
    if (why != null) {
      steps.withdrawal().stop(group, batch.id(), why, now);
      return new Done(0, 1, 0);
    }
    return new Done(0, 0, releaseAll(batch, now));
  }

  private <T> T attempt(long id, T otherwise, Supplier<T> step) {
    try {
      return step.get();
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("batches: batch {} of {} can neither end nor go on", id, group, e);
      return otherwise;
    }
  }

  private int tell(BatchEnder.Ended ended) {
    signals.triggersStored(group, ended.stored());
    if (ended.hasFeedback()) {
      signals.feedbackStored();
    }
    changed(ended.above());
    return 1;
  }

  /**
   * Releases once more if the parameters were too large for one transaction, or if parts need not
   * run; these may have been the last.
   */
  private int releaseAll(Batch batch, long now) {
    int all = 0;
    Optional<Batch> next = Optional.of(batch);
    while (next.isPresent()) {
      int some = release(next.get(), now);
      all += some;
      next =
          some == 0
              ? Optional.empty()
              : stores.batches().find(List.of(batch.id())).stream().findFirst();
      next.ifPresent(released -> changed(Map.of(released.id(), released.progress())));
    }
    return all;
  }

  private int release(Batch batch, long now) {
    if (ReleaseWindow.toRelease(batch.counts(), slots.getAsInt()) == 0) {
      return 0;
    }
    int most = room.of(batch);
    if (most == 0) {
      return 0;
    }
    Released done = steps.release().release(batch, slots.getAsInt(), most, now);
    if (!done.rows().isEmpty()) {
      signals.triggersStored(group, done.rows());
      room.taken(batch, done.rows().size());
    }
    return done.parts();
  }

  // What others left.

  private Done search(long now) {
    if (!stores.batches().hasAny(group)) {
      withdrawn.clear();
      stats = BatchStats.NONE;
      return Done.NOTHING;
    }
    int window = ReleaseWindow.size(slots.getAsInt());
    withdrawWhatStops();
    Done done =
        each(above -> stores.batches().findAllEnded(group, above, PAGE))
            .plus(each(above -> stores.batches().findToStop(group, above, now, PAGE)))
            .plus(each(above -> stores.batches().findToRelease(group, above, window, PAGE)));
    steps.remains().deleteAll(group);
    stats = stores.batchViews().stats(group, MOST_CHANGED, now);
    return done;
  }

  /** The batches under way as the last search saw them; any thread may ask. */
  public BatchStats stats() {
    return stats;
  }

  private interface Pages {
    List<Long> above(long id);
  }

  private Done each(Pages pages) {
    Done done = Done.NOTHING;
    long last = Long.MIN_VALUE;
    List<Long> page;
    do {
      page = pages.above(last);
      done = done.plus(moveOn(page));
      last = page.isEmpty() ? last : page.get(page.size() - 1);
    } while (page.size() == PAGE);
    return done;
  }

  /**
   * Once the parts of a batch are withdrawn, none comes back: each is looked at once, and again if
   * it was terminated since.
   */
  private void withdrawWhatStops() {
    Set<Stopping> found = new HashSet<>();
    long last = Long.MIN_VALUE;
    List<Stopping> page;
    do {
      page = stores.batches().findStopping(group, last, PAGE);
      for (Stopping batch : page) {
        last = batch.id();
        found.add(batch);
        if (!withdrawn.contains(batch) && attempt(last, false, () -> withdraw(batch.id()))) {
          withdrawn.add(batch);
        }
      }
    } while (page.size() == PAGE);
    withdrawn.retainAll(found);
  }

  private boolean withdraw(long id) {
    steps.withdrawal().withdraw(group, id, clock.millis());
    return true;
  }
}
