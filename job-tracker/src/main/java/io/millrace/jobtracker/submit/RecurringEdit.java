package io.millrace.jobtracker.submit;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.submit.job.TriggerPlans;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.util.List;
import java.util.Objects;

/**
 * Replaces the version of a live recurring job by an edited one, in the transaction of the caller,
 * which has written the job's row. What the edit does not change is kept: a paused job stays
 * paused; with an equal schedule, every future fire time stays the same; with equal interval and
 * start, the fire times keep their phase. Thread-safe.
 */
final class RecurringEdit {
  private final TriggerWithdrawal takeback;
  private final TriggerPlans plans;

  RecurringEdit(TriggerWithdrawal takeback, TriggerPlans plans) {
    this.takeback = takeback;
    this.plans = plans;
  }

  /**
   * The result of an edit, to be written by the caller.
   *
   * @param planned the new version and its triggers
   * @param hasFeedback whether there is feedback to push
   */
  record Edited(JobPlanner.Planned planned, boolean hasFeedback) {}

  /**
   * Withdraws the triggers of the previous version and plans those of the next.
   *
   * @param asked the next version as a new submit would start it
   */
  Edited edit(JobDefinition before, JobDefinition asked, long now) {
    boolean isEqual =
        before.schedule().equals(asked.schedule())
            && before.spec().chained() == asked.spec().chained();
    return isEqual ? keepFireTimes(before, asked, now) : changeFireTimes(before, asked, now);
  }

  private Edited keepFireTimes(JobDefinition before, JobDefinition asked, long now) {
    TriggerWithdrawal.TakenBack taken =
        takeback.takeBackForEqualSchedule(before.nodeGroup(), before, asked.spec(), now);
    JobDefinition next = asked.goingOn(before);
    List<Long> later = taken.later();
    boolean lostItsTurn =
        next.spec().chained() && next.state() == JobState.ACTIVE && later.isEmpty();
    JobPlanner.Planned planned =
        lostItsTurn ? plans.goOn(next, now) : new JobPlanner.Planned(later, next, null);
    return new Edited(planned, taken.hasFeedback());
  }

  private Edited changeFireTimes(JobDefinition before, JobDefinition asked, long now) {
    TriggerWithdrawal.TakenBack taken =
        takeback.takeBackTriggers(
            before.nodeGroup(), before, TriggerWithdrawal.Reason.REPLACED, asked.spec(), now);
    long from = Math.max(now - 1, taken.plannedUntil());
    boolean keepsPhase = isOfOneGrid(before.schedule(), asked.schedule());
    JobDefinition next =
        keepsPhase
            ? asked.inPhaseWith(before, before.firedCount() - taken.later().size(), from)
            : asked.fired(from, 0, null, false);
    if (before.pause() != null) {
      JobDefinition paused = next.stayingPaused(before.pause());
      return new Edited(new JobPlanner.Planned(List.of(), paused, null), taken.hasFeedback());
    }
    boolean wouldBeginAnew = keepsPhase && next.spec().chained();
    return new Edited(
        wouldBeginAnew ? plans.goOn(next, now) : plans.beginAnew(next, now), taken.hasFeedback());
  }

  /** Whether two schedules have the same interval and start, and differ at most in their end. */
  private static boolean isOfOneGrid(Schedule one, Schedule other) {
    if (one instanceof Schedule.Repeat before && other instanceof Schedule.Repeat after) {
      return before.interval().equals(after.interval())
          && Objects.equals(before.start(), after.start());
    }
    return one instanceof Schedule.FixedDelay before
        && other instanceof Schedule.FixedDelay after
        && before.delay().equals(after.delay())
        && Objects.equals(before.start(), after.start());
  }
}
