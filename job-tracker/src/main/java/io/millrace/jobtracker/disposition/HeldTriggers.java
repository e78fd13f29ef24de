package io.millrace.jobtracker.disposition;

import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.List;
import java.util.Optional;

/**
 * Releases held triggers, which wait for their turn, one at a time, in the transaction that ends
 * the previous one. So no held trigger is forgotten, and no two run at the same time. The caller
 * has written the job's row, as every change of its counts requires. Thread-safe.
 */
public final class HeldTriggers {
  private final JobStore jobs;
  private final WaitingStore waiting;
  private final IdSequence ids;

  public HeldTriggers(JobStore jobs, WaitingStore waiting, IdSequence ids) {
    this.jobs = jobs;
    this.waiting = waiting;
    this.ids = ids;
  }

  /**
   * The result of passing on a turn.
   *
   * @param turns the new counts of the job's running and held triggers, to be stored by the
   *     caller's transaction
   * @param next the released trigger, to be inserted by the caller's transaction
   */
  public record HandedOn(RunCounts turns, Optional<WaitingTrigger> next) {}

  /**
   * Records that running triggers of a job have ended, and releases the next held trigger.
   *
   * @param ended the number of ended triggers; with 0, only a missed release is made up for
   * @return the released trigger, to be inserted by the caller's transaction
   */
  public Optional<WaitingTrigger> handOn(
      String nodeGroup, String taskId, LockedJob job, int ended, long now) {
    HandedOn done = decide(nodeGroup, taskId, job, ended, now);
    jobs.setTurns(job.id(), done.turns().running(), done.turns().queued());
    return done.next();
  }

  /** As {@link #handOn}, but the caller stores the turns, because it may have many. */
  public HandedOn decide(String nodeGroup, String taskId, LockedJob job, int ended, long now) {
    RunCounts turns = new RunCounts(job.running(), job.queued()).afterEnds(ended);
    Optional<WaitingTrigger> next =
        turns.isFree() ? callUp(nodeGroup, taskId, now) : Optional.empty();
    if (next.isPresent()) {
      turns = turns.afterCall();
    } else if (turns.isFree()) {
      turns = new RunCounts(0, 0);
    }
    return new HandedOn(turns, next);
  }

  private Optional<WaitingTrigger> callUp(String nodeGroup, String taskId, long now) {
    return waiting.findHeld(nodeGroup, taskId, 1).stream()
        .findFirst()
        .map(
            held -> {
              WaitingTrigger whole = withParams(nodeGroup, held);
              if (waiting.delete(nodeGroup, List.of(held.id())) != 1) {
                throw new RaceLostException("held trigger " + held.key() + " no longer exists");
              }
              ids.observe(held.id());
              return whole.calledUp(ids.next(now), now);
            });
  }

  private WaitingTrigger withParams(String nodeGroup, WaitingTrigger held) {
    if (!held.params().isLeftInStore()) {
      return held;
    }
    String json = waiting.readParams(nodeGroup, List.of(held.id())).get(held.id());
    return held.withParams(held.params().orRead(json));
  }
}
