package io.millrace.jobtracker.submit.change;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.RejectReason;
import io.millrace.api.RunNowResult;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.job.EarlierSubmissions;
import io.millrace.jobtracker.submit.job.InvalidJobException;
import io.millrace.jobtracker.submit.job.JobValidator;
import io.millrace.jobtracker.submit.job.LockedJobs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes extra triggers of recurring jobs. They are due at once, regardless of the schedule and
 * even while the job is paused. Each has its own parameters, and the submission of its request, by
 * which a resend is recognized. Thread-safe.
 */
public final class RunNow {
  private final Stores stores;
  private final LockedJobs locked;
  private final JobValidator validator;
  private final IdSequence ids;
  private final JobChanges changes;

  public RunNow(
      Stores stores,
      LockedJobs locked,
      JobValidator validator,
      IdSequence ids,
      JobChanges changes) {
    this.stores = stores;
    this.locked = locked;
    this.validator = validator;
    this.ids = ids;
    this.changes = changes;
  }

  /** A valid request; without its own parameters, the job's parameters apply. */
  private record Asked(
      String group, String taskId, Submission submission, @Nullable StoredParams params) {}

  /** Stores the extra trigger. The answer is sent after the commit. */
  public CompletableFuture<RunNowResult> runNow(Peer client, RunNowRequest request) {
    Asked asked;
    try {
      validator.checkSubmissionId(request.submissionId());
      asked =
          new Asked(
              request.nodeGroup(),
              request.taskId(),
              new Submission(request.submissionId(), client.nodeId()),
              request.params() == null ? null : validator.paramsOf(request.params()));
    } catch (InvalidJobException e) {
      return CompletableFuture.completedFuture(
          new RunNowResult(ChangeStatus.REFUSED, null, 0, e.describe()));
    }
    return changes.carryOut(
        "run now",
        asked.group(),
        asked.taskId(),
        notRun(LockedJobs.unknown(asked.group(), asked.taskId())),
        now -> runOnce(asked, now));
  }

  /**
   * Reads the waiting table before the executing table. This order is safe, because no trigger
   * returns to the waiting table while the job's row is locked.
   */
  private Change<RunNowResult> runOnce(Asked asked, long now) {
    Optional<JobDefinition> found = locked.find(asked.group(), asked.taskId());
    RunNowResult known = fromTheRecord(asked);
    if (known != null) {
      return Change.none(known);
    }
    ChangeResult refusal = locked.refusal(asked.group(), asked.taskId(), found);
    return refusal == null ? store(asked, found.orElseThrow(), now) : Change.none(notRun(refusal));
  }

  private Change<RunNowResult> store(Asked asked, JobDefinition job, long now) {
    TriggerKey key = TriggerKey.extra(job.taskId(), now, stores.jobs().nextExtra(job.id()));
    StoredParams params = asked.params() == null ? job.params() : asked.params();
    WaitingTrigger row = job.extraTrigger(ids.next(now), key, params, asked.submission());
    stores.waiting().insert(asked.group(), List.of(row));
    return new Change<>(
        accepted(key, "runs now"),
        now,
        Stopped.NOTHING,
        false,
        () -> stores.waiting().lock(asked.group(), row.id()));
  }

  private @Nullable RunNowResult fromTheRecord(Asked asked) {
    String submissionId = asked.submission().id();
    for (WaitingTrigger row : stores.waiting().findByTask(asked.group(), asked.taskId())) {
      if (row.submission() != null && row.submission().id().equals(submissionId)) {
        return accepted(row.key(), "is already waiting, because this request was received before");
      }
    }
    for (Execution execution : stores.runs().findByTasks(asked.group(), List.of(asked.taskId()))) {
      if (execution.key().isExtra() && execution.spec().submissionId().equals(submissionId)) {
        return accepted(
            execution.key(), "is already running, because this request was received before");
      }
    }
    return stores
        .ledger()
        .findBySubmission(submissionId)
        .map(row -> fromTheLedger(asked, row))
        .orElse(null);
  }

  private static RunNowResult fromTheLedger(Asked asked, LedgerEntry row) {
    boolean isIt =
        row.nodeGroup().equals(asked.group())
            && row.key().taskId().equals(asked.taskId())
            && row.key().isExtra();
    return isIt
        ? accepted(row.key(), "has already run, because this request was received before")
        : new RunNowResult(
            ChangeStatus.REFUSED,
            null,
            0,
            RejectReason.BAD_SUBMISSION_ID
                + ": "
                + EarlierSubmissions.isAnothers(
                    asked.submission().id(), row.nodeGroup(), row.key().taskId()));
  }

  private static RunNowResult notRun(ChangeResult refusal) {
    return new RunNowResult(refusal.status(), null, 0, refusal.message());
  }

  private static RunNowResult accepted(TriggerKey key, String message) {
    return new RunNowResult(
        ChangeStatus.CHANGED, Instant.ofEpochMilli(key.plannedAt()), key.ordinal(), message);
  }
}
