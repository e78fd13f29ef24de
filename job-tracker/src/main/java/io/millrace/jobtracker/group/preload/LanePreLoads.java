package io.millrace.jobtracker.group.preload;

import io.millrace.internal.time.Duty;
import io.millrace.jobtracker.domain.trigger.Placement;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.domain.waiting.WaitingHeads.LaneHead;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import io.millrace.jobtracker.store.lane.LaneStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads the lanes of one node group, each into a head of its own. A load of a lane says which lane
 * with rows comes next, so that lanes are found without a statement of their own. Driven by one
 * timer, which never overlaps its own runs; rows that were committed here come from any thread.
 */
public final class LanePreLoads implements Duty {
  private final String group;
  private final WaitingHeads heads;
  private final WaitingStore waiting;
  private final LaneStore lanes;
  private final Function<LaneHead, OfLane> loads;
  private final BoundLoad bound;
  private final Map<Integer, OfLane> byLane = new ConcurrentHashMap<>();

  /** The loads of one lane. */
  public record OfLane(PreLoader preLoader, PreLoadDuty duty) {}

  /**
   * @param loads makes the loads of a lane
   * @param bound loads what is for one worker each
   */
  public LanePreLoads(
      String group,
      WaitingHeads heads,
      WaitingStore waiting,
      LaneStore lanes,
      Function<LaneHead, OfLane> loads,
      BoundLoad bound) {
    this.group = group;
    this.heads = heads;
    this.waiting = waiting;
    this.lanes = lanes;
    this.loads = loads;
    this.bound = bound;
  }

  /** Loads each lane once, as its head requires, and then what is for one worker each. */
  @Override
  public @Nullable Object runOnce(long now) {
    boolean loadsBound = bound.isWanted();
    int done = -1;
    LaneHead next = heads.plain();
    while (next != null) {
      done = next.lane().number();
      if (of(next).duty().load(now)) {
        loadsBound |= meet(done, of(next).preLoader().nextLane()) == Placement.BOUND;
      }
      next = behind(done);
    }
    if (loadsBound) {
      bound.runOnce(now);
    }
    return null;
  }

  private @Nullable LaneHead behind(int lane) {
    return heads.all().stream()
        .filter(each -> each.lane().number() > lane)
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the next lane that has rows, or 0. A load that stopped before the end of its lane does
   * not say which one comes next.
   */
  private int meet(int lane, @Nullable Integer seen) {
    int next =
        seen == null
            ? waiting.nextLevel(group, Level.numberOf(lane + 1, 0) - 1).map(Level::lane).orElse(0)
            : seen;
    if (next > 0 && next != Placement.BOUND && heads.find(next) == null) {
      heads.add(lanes.find(group));
    }
    return next;
  }

  private OfLane of(LaneHead head) {
    return byLane.computeIfAbsent(head.lane().number(), lane -> loads.apply(head));
  }

  /** As {@link PreLoader#enter}. Rows of a lane that is not known yet are left to the next load. */
  public void enter(List<WaitingTrigger> rows) {
    if (rows.stream().allMatch(row -> row.lane() == 0)) {
      of(heads.plain()).preLoader().enter(rows);
      return;
    }
    rows.stream()
        .collect(Collectors.groupingBy(WaitingTrigger::lane))
        .forEach(
            (lane, ofLane) -> {
              if (lane == Placement.BOUND) {
                bound.enter(ofLane);
                return;
              }
              LaneHead head = heads.find(lane);
              if (head != null) {
                of(head).preLoader().enter(ofLane);
              } else {
                ofLane.forEach(row -> of(heads.plain()).preLoader().storedElsewhere(row.dueAt()));
              }
            });
  }

  /** As {@link PreLoader#storedElsewhere}: they may be of any lane. */
  public void storedElsewhere(long earliestDueAt) {
    heads.all().forEach(head -> of(head).preLoader().storedElsewhere(earliestDueAt));
  }
}
