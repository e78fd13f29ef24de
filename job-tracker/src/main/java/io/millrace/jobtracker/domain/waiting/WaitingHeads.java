package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.Ranked;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The heads of one node group's waiting queue, one for each {@link Lane} that has been met. So
 * triggers that no worker may run hide none that others may run. What is for one worker alone is in
 * none of them, but among the {@link BoundParts}. Thread-safe.
 */
public final class WaitingHeads {
  /**
   * How much earlier a part has to be due to go before another trigger of its priority. So a job
   * that falls due while a large run is under way does not wait for a whole window of its parts,
   * and parts wait no longer than that for jobs that fall due after them.
   */
  static final Duration PARTS_YIELD = Duration.ofSeconds(1);

  private final Supplier<WaitingHead> further;
  private final BoundParts bound;

  /** In order of their numbers, the plain one first. Replaced as a whole. */
  private volatile List<LaneHead> all;

  /** The head of one lane. */
  public record LaneHead(Lane lane, WaitingHead head) {
    private boolean hasWork(long until) {
      return head.hasDue() || head.hasDueUntil(until);
    }
  }

  /**
   * The heads of a node group of which only the plain one is known.
   *
   * @param further makes the heads of other lanes
   */
  public WaitingHeads(WaitingHead plain, Supplier<WaitingHead> further) {
    this.all = List.of(new LaneHead(Lane.PLAIN, plain));
    this.further = further;
    this.bound = new BoundParts(plain.order());
  }

  /** The head of the lane whose triggers any worker may run. */
  public LaneHead plain() {
    return all.get(0);
  }

  /** The parts that are for one worker each. */
  public BoundParts bound() {
    return bound;
  }

  /** The heads in order of the numbers of their lanes. */
  public List<LaneHead> all() {
    return all;
  }

  /** The head of the lane of this number, or null if it is not known. */
  public @Nullable LaneHead find(int lane) {
    List<LaneHead> known = all;
    if (lane == 0) {
      return known.get(0);
    }
    return known.stream().filter(each -> each.lane().number() == lane).findFirst().orElse(null);
  }

  /** Adds an empty head for each lane that has none. */
  public synchronized void add(Collection<Lane> lanes) {
    List<LaneHead> more = new ArrayList<>(all);
    lanes.stream()
        .filter(lane -> find(lane.number()) == null)
        .forEach(lane -> more.add(new LaneHead(lane, further.get())));
    more.sort(Comparator.comparingInt(each -> each.lane().number()));
    all = List.copyOf(more);
  }

  // Claims.

  /**
   * Whether any trigger is due by then that someone may run.
   *
   * @param isServed whether someone may run triggers of a lane
   */
  public boolean hasWork(long until, Predicate<Lane> isServed) {
    for (LaneHead each : all) {
      if (each.hasWork(until) && isServed.test(each.lane())) {
        return true;
      }
    }
    return false;
  }

  /**
   * The lane, of those that may be asked, whose first trigger goes before the first ones of the
   * others; null if none has a trigger. What is due goes before what is not, and of one priority a
   * part yields to what falls due within {@link #PARTS_YIELD} of it.
   */
  public @Nullable LaneHead first(long now, long until, Predicate<Lane> mayBeAsked) {
    LaneHead best = null;
    WaitingTrigger first = null;
    for (LaneHead each : all) {
      WaitingTrigger other =
          mayBeAsked.test(each.lane()) ? each.head().firstForClaim(now, until) : null;
      if (other != null && (first == null || claimOrder(now).compare(other, first) < 0)) {
        best = each;
        first = other;
      }
    }
    return best;
  }

  /** The order in which first triggers go: those of lanes, and those for one worker. */
  public Comparator<WaitingTrigger> claimOrder(long now) {
    return (one, other) -> {
      boolean isDue = one.dueAt() <= now;
      if (isDue != other.dueAt() <= now) {
        return isDue ? -1 : 1;
      }
      return isDue
          ? plain().head().order().compare(rank(one), rank(other))
          : WaitingHead.BY_TIME.compare(one, other);
    };
  }

  private static Ranked rank(WaitingTrigger trigger) {
    return trigger.core().isPart()
        ? new SortKey(trigger.priority(), trigger.dueAt() + PARTS_YIELD.toMillis(), trigger.id())
        : trigger;
  }

  /** As {@link WaitingHead#missedInClaim}. */
  public Set<Long> missedInClaim(Collection<Long> ids, long now) {
    Set<Long> missed = new HashSet<>();
    all.forEach(each -> missed.addAll(each.head().missedInClaim(ids, now)));
    return missed;
  }

  /** As {@link WaitingHead#settle}. */
  public void settle(Collection<Long> ids) {
    all.forEach(each -> each.head().settle(ids));
    bound.settle(ids);
  }

  /** As {@link WaitingHead#putBack}. */
  public Set<Long> putBack(Collection<Long> ids, long now) {
    Set<Long> dueTimes = new HashSet<>(bound.putBack(ids, now));
    all.forEach(each -> dueTimes.addAll(each.head().putBack(ids, now)));
    return dueTimes;
  }

  /** As {@link WaitingHead#fallDue}. */
  public void fallDue(long now) {
    all.forEach(each -> each.head().fallDue(now));
  }

  /** The due triggers, if memory holds all of them; otherwise empty. */
  public Optional<Backlog> backlog(long now) {
    Optional<Backlog> held = bound.backlog(now);
    for (LaneHead each : all) {
      Optional<Backlog> more = held.isEmpty() ? held : each.head().backlog(now);
      held =
          more.isEmpty()
              ? more
              : held.map(
                  sum ->
                      new Backlog(
                          sum.due() + more.get().due(),
                          Math.min(sum.oldestDueAt(), more.get().oldestDueAt())));
    }
    return held;
  }

  // Loads.

  /** Whether any of them wants a load. */
  public boolean wantsLoad() {
    return bound.wantsLoad() || all.stream().anyMatch(each -> each.head().wantsLoad());
  }

  /** Whether the last load of any of them failed. */
  public boolean isBlind() {
    return bound.isBlind() || all.stream().anyMatch(each -> each.head().isBlind());
  }

  /** The load under way; null if there is none. */
  public @Nullable LoadSession loadUnderWay() {
    return all.stream()
        .map(each -> each.head().loadUnderWay())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }
}
