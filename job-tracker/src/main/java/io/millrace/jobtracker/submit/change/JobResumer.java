package io.millrace.jobtracker.submit.change;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.MisfirePolicy;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.job.LockedJobs;
import io.millrace.jobtracker.submit.job.TriggerPlans;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Resumes paused jobs: their schedule continues from now. The instants of the pause are recorded as
 * skipped, except those that run by the job's misfire policy. Thread-safe.
 */
public final class JobResumer {
  private final Stores stores;
  private final LockedJobs locked;
  private final JobPlanner planner;
  private final TriggerPlans plans;
  private final CompletionRecorder recorder;
  private final IdSequence ids;
  private final JobChanges changes;

  public JobResumer(
      Stores stores,
      LockedJobs locked,
      JobPlanner planner,
      TriggerPlans plans,
      CompletionRecorder recorder,
      IdSequence ids,
      JobChanges changes) {
    this.stores = stores;
    this.locked = locked;
    this.planner = planner;
    this.plans = plans;
    this.recorder = recorder;
    this.ids = ids;
    this.changes = changes;
  }

  /** Resumes a job. The answer is sent after the commit. */
  public CompletableFuture<ChangeResult> resume(ResumeRequest request) {
    String group = request.nodeGroup();
    String taskId = request.taskId();
    return changes.carryOut(
        "resume",
        group,
        taskId,
        LockedJobs.unknown(group, taskId),
        now -> resumeOnce(group, taskId, now));
  }

  private Change<ChangeResult> resumeOnce(String group, String taskId, long now) {
    Optional<JobDefinition> found = locked.find(group, taskId);
    if (found.filter(job -> job.state() == JobState.PAUSED).isPresent()) {
      return resumePaused(group, found.get(), now);
    }
    if (found.filter(job -> job.state() == JobState.ACTIVE).isPresent()) {
      return Change.none(
          new ChangeResult(ChangeStatus.UNCHANGED, running(found.get()), "the job is not paused"));
    }
    ChangeResult refusal = locked.refusal(group, taskId, found);
    return Change.none(refusal == null ? LockedJobs.unknown(group, taskId) : refusal);
  }

  private Change<ChangeResult> resumePaused(String group, JobDefinition job, long now) {
    JobPlanner.Passed passed = planner.passed(job, now + 1, policyAfterPause(job), now);
    JobPlanner.Planned ahead = plans.goOn(job.resumed(Math.max(now, job.generatedUntil())), now);
    JobDefinition resumed = counting(passed.run().size(), ahead.advanced());
    locked.replace(resumed, job.version());
    List<WaitingTrigger> rows =
        Stream.concat(passed.run().stream(), ahead.instants().stream())
            .map(at -> planner.trigger(resumed, ids.next(now), at, now))
            .toList();
    if (!rows.isEmpty()) {
      stores.waiting().insert(group, rows);
    }
    boolean hasFeedback = recorder.record(skipped(job, passed.skipped(), now), now);
    long earliest = rows.stream().mapToLong(WaitingTrigger::dueAt).min().orElse(Change.NO_TRIGGER);
    return new Change<>(
        answer(resumed, earliest),
        earliest,
        Stopped.NOTHING,
        hasFeedback,
        () -> locked.shows(resumed));
  }

  private static MisfirePolicy policyAfterPause(JobDefinition job) {
    MisfirePolicy policy = job.spec().misfirePolicy();
    return policy.afterPause() ? policy : MisfirePolicy.none();
  }

  private static JobDefinition counting(int caughtUp, JobDefinition job) {
    return job.fired(job.generatedUntil(), caughtUp, job.generateAt(), job.exhausted());
  }

  private List<TriggerCompletion> skipped(JobDefinition job, List<SkippedRange> ranges, long now) {
    Cause cause = TriggerWithdrawal.causeOf(job.pause());
    return ranges.stream()
        .map(
            range ->
                TriggerCompletion.ofRange(
                    ids.next(now), job, range, LedgerStatus.SKIPPED, cause, now))
        .toList();
  }

  private ChangeResult answer(JobDefinition job, long earliest) {
    int running = running(job);
    String next = "";
    if (earliest != Change.NO_TRIGGER) {
      next = "; runs next at " + Instant.ofEpochMilli(earliest);
    } else if (job.exhausted()) {
      next = "; no fire time is left";
    } else if (job.spec().chained()) {
      next = "; continues when the running execution ends";
    }
    return new ChangeResult(ChangeStatus.CHANGED, running, "resumed" + next);
  }

  private int running(JobDefinition job) {
    return stores.runs().findByTasks(job.nodeGroup(), List.of(job.taskId())).size();
  }
}
