package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.BoundParts;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.domain.waiting.WaitingHeads.LaneHead;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The pulls with free slots, in turn, while triggers are assigned to them; and the first part of
 * each of their workers that is for that one alone. Not thread-safe: it belongs to one assignment.
 */
final class Turns {
  private final BoundParts bound;
  private final Comparator<WaitingTrigger> order;
  private final long now;
  private final long horizon;
  private final Deque<ParkedPull> pulls;
  private final Map<ParkedPull, Long> bytes = new HashMap<>();

  /** Also of pulls that have had their turns by now. */
  private final Queue<Claim> firstBound;

  /**
   * @param horizon triggers that are due until then may be claimed ahead
   */
  Turns(Collection<ParkedPull> withSlots, WaitingHeads heads, long now, long horizon) {
    this.bound = heads.bound();
    this.order = heads.claimOrder(now);
    this.now = now;
    this.horizon = horizon;
    this.pulls = new ArrayDeque<>(withSlots);
    this.firstBound = new PriorityQueue<>(Comparator.comparing(Claim::trigger, order));
    if (!bound.isEmpty()) {
      pulls.forEach(this::offerBound);
    }
  }

  private void offerBound(ParkedPull pull) {
    WaitingTrigger first = bound.first(pull.process, now, horizon);
    if (first != null) {
      firstBound.add(new Claim(first, pull));
    }
  }

  boolean isOver() {
    return pulls.isEmpty();
  }

  /**
   * Whether a part is next: the first trigger of this lane, or a part for the worker of a pull
   * alone.
   *
   * @param lane null if no lane has a trigger
   */
  boolean isPartNext(@Nullable LaneHead lane) {
    return firstBound(lane) != null
        || (lane != null && ClaimKind.of(lane.lane()) == ClaimKind.PARTS);
  }

  /**
   * The first part for the worker of a pull in turn alone; null if there is none, or if the first
   * trigger of this lane goes before it.
   */
  private @Nullable Claim firstBound(@Nullable LaneHead lane) {
    Claim first = firstBound.peek();
    while (first != null && !pulls.contains(first.pull())) {
      firstBound.remove();
      first = firstBound.peek();
    }
    WaitingTrigger ofLane =
        first == null || lane == null ? null : lane.head().firstForClaim(now, horizon);
    return first == null || (ofLane != null && order.compare(ofLane, first.trigger()) < 0)
        ? null
        : first;
  }

  /**
   * Takes the first part for the worker of a pull alone, and its pull out of turn; null if there is
   * none, or if the first trigger of this lane goes before it.
   *
   * @param lane null if no lane has a trigger
   */
  @Nullable Claim takeBound(@Nullable LaneHead lane) {
    Claim first = firstBound(lane);
    if (first == null) {
      return null;
    }
    firstBound.remove();
    boolean isTaken = bound.take(first.trigger());
    offerBound(first.pull());
    if (!isTaken) {
      return takeBound(lane);
    }
    pulls.remove(first.pull());
    return first;
  }

  /** Removes and returns the first pull that may serve the lane, or null. */
  @Nullable ParkedPull next(Lane lane) {
    Iterator<ParkedPull> each = pulls.iterator();
    while (each.hasNext()) {
      ParkedPull pull = each.next();
      if (pull.serves(lane)) {
        each.remove();
        return pull;
      }
    }
    return null;
  }

  /** Takes a pull out of turn, and returns whether it was in turn. */
  boolean remove(ParkedPull pull) {
    return pulls.remove(pull);
  }

  /** It is the turn of this pull again. */
  void giveBack(ParkedPull pull) {
    pulls.addFirst(pull);
  }

  /** A pull got a trigger, and may get more if slots are left and its reply has room. */
  void got(Claim claim, int slotsLeft) {
    long sum = bytes.merge(claim.pull(), (long) claim.trigger().params().bytes(), Long::sum);
    if (slotsLeft > 0 && sum < Claimer.MAX_REPLY_BYTES / 2) {
      pulls.add(claim.pull());
    }
  }
}
