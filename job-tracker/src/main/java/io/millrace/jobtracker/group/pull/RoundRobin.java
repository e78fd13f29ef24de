package io.millrace.jobtracker.group.pull;

import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares triggers out among the parked pulls of one node group: one trigger to each pull in turn,
 * the oldest pull first, so that all waiting workers get an even share. Not thread-safe: the caller
 * holds the monitor of the {@link ParkedPulls}.
 */
final class RoundRobin {
  /** The most triggers in one claim. */
  private static final int MAX_CLAIM = 256;

  private final WaitingHead head;
  private final ParkedPulls parked;
  private final EarlyClaims early;
  private final Duration claimAhead;

  /**
   * @param claimAhead how long before its due time a trigger may be claimed
   */
  RoundRobin(WaitingHead head, ParkedPulls parked, EarlyClaims early, Duration claimAhead) {
    this.head = head;
    this.parked = parked;
    this.early = early;
    this.claimAhead = claimAhead;
  }

  /**
   * The triggers to claim, and their pulls.
   *
   * @param at when they were assigned. A trigger that was due then is sent with its pull, which is
   *     no longer parked; a trigger that was not due is sent at its due time, and its pull stays
   *     parked
   */
  record Assigned(List<Claim> claims, long at) {
    boolean isAhead(Claim claim) {
      return claim.trigger().dueAt() > at;
    }

    boolean isAhead(Assignment assignment) {
      return assignment.dueAt().toEpochMilli() > at;
    }
  }

  /** Assigns triggers until slots, triggers or the batch are used up. */
  Assigned assign(long now) {
    Assigned assigned = new Assigned(new ArrayList<>(), now);
    Map<ParkedPull, Long> bytes = new HashMap<>();
    Deque<ParkedPull> turns = new ArrayDeque<>();
    parked.all().stream().filter(pull -> early.freeSlots(pull) > 0).forEach(turns::add);
    long horizon = now + claimAhead.toMillis();
    while (!turns.isEmpty() && assigned.claims().size() < MAX_CLAIM) {
      WaitingTrigger trigger = head.takeForClaim(now, horizon);
      if (trigger == null) {
        break;
      }
      ParkedPull pull = turns.remove();
      Claim claim = new Claim(trigger, pull);
      assigned.claims().add(claim);
      if (assigned.isAhead(claim)) {
        early.reserve(pull.worker.nodeId());
      } else {
        pull.slots--;
      }
      long sum = bytes.merge(pull, (long) trigger.params().bytes(), Long::sum);
      if (early.freeSlots(pull) > 0 && sum < Claimer.MAX_REPLY_BYTES / 2) {
        turns.add(pull);
      }
    }
    assigned.claims().stream()
        .filter(claim -> !assigned.isAhead(claim))
        .forEach(claim -> parked.unpark(claim.pull()));
    return assigned;
  }
}
