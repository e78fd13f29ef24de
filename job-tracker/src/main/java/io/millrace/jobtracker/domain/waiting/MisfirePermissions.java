package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Which missed triggers may run, and until when. A missed trigger without a valid permission is
 * undecided and must not be handed out. Not thread-safe.
 */
final class MisfirePermissions {
  private final long misfireThreshold;
  private final Map<Long, Long> runUntil = new HashMap<>();

  /**
   * @param misfireThreshold for how many milliseconds after its planned time a trigger is not
   *     missed, while the next fire time of its job is not due
   */
  MisfirePermissions(long misfireThreshold) {
    this.misfireThreshold = misfireThreshold;
  }

  /** Whether the trigger was missed and no permission lets it run now. */
  boolean isUndecided(WaitingTrigger trigger, long now) {
    return trigger.isMissable()
        && trigger.inTimeUntil(misfireThreshold) < now
        && runUntil.getOrDefault(trigger.id(), Long.MIN_VALUE) < now;
  }

  /**
   * Adds permissions.
   *
   * @param until row ids, and the last millisecond at which each row may run
   */
  void allow(Map<Long, Long> until) {
    runUntil.putAll(until);
  }

  /** Removes the permission of a row. */
  void remove(long id) {
    runUntil.remove(id);
  }

  /** Removes the permissions of all other rows. */
  void retain(LongPredicate ids) {
    runUntil.keySet().removeIf(id -> !ids.test(id));
  }
}
