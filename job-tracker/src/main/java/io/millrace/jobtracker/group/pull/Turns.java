package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.BoundParts;
import io.millrace.jobtracker.domain.waiting.StickyWaits;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.domain.waiting.WaitingHeads.LaneHead;
import io.millrace.jobtracker.group.worker.PullingWorkers;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pulls with free slots, in turn, while triggers are assigned to them; and the first part of
 * each of their workers that is for that one alone. Not thread-safe: it belongs to one assignment.
 */
final class Turns {
  /**
   * What decides which worker a trigger with a key goes to.
   *
   * @param sticky holds the triggers that wait for the worker of their key
   * @param monotonicNow monotonic milliseconds
   */
  record Keys(StickyWaits sticky, PullingWorkers workers, long monotonicNow) {}

  private final BoundParts bound;
  private final Comparator<WaitingTrigger> order;
  private final Keys keys;
  private final long now;
  private final long horizon;
  private final Deque<ParkedPull> pulls;

  /** How many slots the assignment may still take of each pull. */
  private final Map<ParkedPull, Integer> slots;

  private final Map<ParkedPull, Long> bytes = new HashMap<>();

  /** Also of pulls that have had their turns by now. */
  private final Queue<Claim> firstBound;

  /**
   * @param slots how many slots the assignment may take of each pull, in order of their turns; it
   *     belongs to this object from then on
   * @param horizon triggers that are due until then may be claimed ahead
   */
  Turns(Map<ParkedPull, Integer> slots, WaitingHeads heads, Keys keys, long now, long horizon) {
    this.keys = keys;
    this.bound = heads.bound();
    this.order = heads.claimOrder(now);
    this.now = now;
    this.horizon = horizon;
    this.slots = slots;
    this.pulls = new ArrayDeque<>(slots.keySet());
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

  /** Whether a pull in turn may serve the lane. */
  boolean areAnyFor(Lane lane) {
    return first(pull -> pull.serves(lane)) != null;
  }

  /**
   * Takes the first trigger of a lane, and out of turn the pull of the worker of its key, else the
   * first that may serve the lane; null if the trigger is gone, or is set aside to wait for its
   * worker.
   */
  @Nullable Claim take(LaneHead from) {
    WaitingTrigger trigger = from.head().takeForClaim(now, horizon);
    ParkedPull pull = trigger == null ? null : pullFor(trigger, from.lane());
    if (trigger == null || pull == null) {
      return null;
    }
    pulls.remove(pull);
    return new Claim(trigger, pull);
  }

  private @Nullable ParkedPull pullFor(WaitingTrigger trigger, Lane lane) {
    ParkedPull first = first(pull -> pull.serves(lane));
    String key = trigger.placement().stickTo();
    String worker = key == null ? null : StickyWaits.choose(key, keys.workers().able(lane));
    if (first == null || worker == null || worker.equals(first.worker.nodeId())) {
      return first;
    }
    ParkedPull own = first(pull -> worker.equals(pull.worker.nodeId()));
    if (own != null) {
      return own;
    }
    return keys.sticky().setAside(trigger, worker, keys.monotonicNow()) ? null : first;
  }

  private @Nullable ParkedPull first(Predicate<ParkedPull> isMeant) {
    return pulls.stream().filter(isMeant).findFirst().orElse(null);
  }

  /** A pull got a trigger, and may get more if slots are left and its reply has room. */
  void got(Claim claim) {
    int slotsLeft = slots.merge(claim.pull(), -1, Integer::sum);
    long sum = bytes.merge(claim.pull(), (long) claim.trigger().params().bytes(), Long::sum);
    if (slotsLeft > 0 && sum < Claimer.MAX_REPLY_BYTES / 2) {
      pulls.add(claim.pull());
    }
  }
}
