package io.millrace.jobtracker.submit.change;

import io.millrace.api.ChangeResult;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.job.LockedJobs;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the replays of triggers of recurring jobs, by the current definition of the job. If only
 * one trigger may run at a time, the replay takes its turn when it is written, not when it is
 * claimed: a replay that an operator was promised must not be skipped a moment later. The caller
 * has written the job's row. Thread-safe.
 */
final class RecurringReplay {
  private final Stores stores;
  private final LockedJobs locked;
  private final IdSequence ids;

  RecurringReplay(Stores stores, LockedJobs locked, IdSequence ids) {
    this.stores = stores;
    this.locked = locked;
    this.ids = ids;
  }

  /**
   * The decision on a replay.
   *
   * @param row the row to be stored; null if the job does not allow the replay, and the caller
   *     rolls back
   * @param message what happens next, or why the replay is refused
   */
  record Answer(@Nullable WaitingTrigger row, String message) {}

  /**
   * Makes the replay of a dead trigger and gives it its turn among the job's triggers.
   *
   * @param found the current definition of the trigger's job
   * @param own new parameters; null for the previous ones if the trigger is an extra one, or else
   *     for the job's current ones
   */
  Answer of(
      DeadTrigger dead,
      Optional<JobDefinition> found,
      @Nullable StoredParams own,
      Submission askedBy,
      long now) {
    ChangeResult refusal = locked.refusal(dead.nodeGroup(), dead.key().taskId(), found);
    if (refusal != null) {
      return new Answer(null, refusal.message());
    }
    JobDefinition job = found.orElseThrow();
    StoredParams before = dead.key().isExtra() ? dead.params() : job.params();
    WaitingTrigger row =
        job.replayTrigger(
            ids.next(now),
            freeKey(job, dead),
            dead.plannedFor(),
            own == null ? before : own,
            askedBy,
            now);
    return job.spec().overlapPolicy().isExclusive()
        ? inItsTurn(job, row)
        : new Answer(row, "runs now");
  }

  /** Finds a key that is not in use; skips ordinals that a person has assigned by SQL. */
  private TriggerKey freeKey(JobDefinition job, DeadTrigger dead) {
    Set<TriggerKey> known = new HashSet<>();
    stores.waiting().findByTask(job.nodeGroup(), job.taskId()).forEach(row -> known.add(row.key()));
    stores
        .runs()
        .findByTasks(job.nodeGroup(), List.of(job.taskId()))
        .forEach(execution -> known.add(execution.key()));
    known.addAll(stores.ledger().endedTriggers(job.id(), dead.plannedFor() - 1, dead.plannedFor()));
    TriggerKey key;
    do {
      int ordinal = stores.jobs().nextExtra(job.id());
      key = TriggerKey.extra(job.taskId(), dead.key().plannedAt(), ordinal);
    } while (known.contains(key));
    return key;
  }

  private Answer inItsTurn(JobDefinition job, WaitingTrigger row) {
    OverlapPolicy policy = job.spec().overlapPolicy();
    RunCounts turns = stores.jobs().turns(job.id());
    RunCounts.Answer answer = turns.ask(policy);
    RunCounts after = turns.after(answer);
    return switch (answer) {
      case RUNS -> {
        stores.jobs().setTurns(job.id(), after.running(), after.queued());
        yield new Answer(row.calledUp(row.id(), row.dueAt()), "runs now");
      }
      case IS_HELD -> {
        stores.jobs().setTurns(job.id(), after.running(), after.queued());
        yield new Answer(row.held(row.id()), "waits, because another run is in progress");
      }
      case IS_SKIPPED -> new Answer(null, whySkipped(job, policy));
    };
  }

  private static String whySkipped(JobDefinition job, OverlapPolicy policy) {
    String underWay = "a run of " + job.nodeGroup() + "/" + job.taskId() + " is in progress, and ";
    return policy.kind() == OverlapPolicy.Kind.QUEUE
        ? underWay + policy.limit() + " are waiting, which is the limit"
        : underWay + "the job skips runs that would overlap";
  }
}
