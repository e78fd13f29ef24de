package io.millrace.jobtracker.submit;

import io.millrace.api.DeclareResult.Change;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.jobtracker.batch.PartWithdrawal;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.job.LockedJobs;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cancels jobs that their owner no longer declares, in the transaction of the caller, and remembers
 * their pauses. Thread-safe.
 */
final class JobRetirement {
  private final Stores stores;
  private final DeclareAdmission admission;
  private final LockedJobs locked;
  private final TriggerWithdrawal takeback;
  private final RunStopper stopper;
  private final PartWithdrawal withdrawal;

  JobRetirement(
      Stores stores,
      LockedJobs locked,
      TriggerWithdrawal takeback,
      RunStopper stopper,
      PartWithdrawal withdrawal) {
    this.stores = stores;
    this.admission = new DeclareAdmission(stores.declared());
    this.locked = locked;
    this.takeback = takeback;
    this.stopper = stopper;
    this.withdrawal = withdrawal;
  }

  /** Retires those of these task ids that the declaration did not have. */
  DeclareOutcome retire(DeclareRequest request, String group, List<String> taskIds, long now) {
    DeclareOutcome done = new DeclareOutcome(admission.admit(request, now).refusal());
    if (done.refusal() == null) {
      stores.declared().lock(group, taskIds).stream()
          .filter(row -> row.belongsTo(request.owner()))
          .filter(row -> !row.latest().declarationId().equals(request.declarationId()))
          .forEach(row -> retire(request, row, done, now));
      done.submitted().versions().write(stores.versions());
    }
    return done;
  }

  /** Withdraws what waits of the runs of retired jobs, after the commit and before the answer. */
  void finish(String group, DeclareOutcome done, long now) {
    done.stopped().forEach(stopped -> withdrawal.finish(group, stopped, now));
  }

  private void retire(DeclareRequest request, DeclaredJob row, DeclareOutcome done, long now) {
    Optional<JobDefinition> found = locked.find(row.nodeGroup(), row.taskId());
    Pause pause = null;
    String message = null;
    if (found.isPresent() && found.get().state().isLive()) {
      pause = found.get().pause();
      message = pause == null ? null : "it was paused by " + pause.by();
      cancel(request, found.get(), done, now);
    } else {
      message =
          found.map(job -> "it was " + job.state() + " already").orElse("it was gone already");
    }
    stores.declared().update(row.seen(retired(request, message), new Retirement(now, pause)));
  }

  private static DeclaredJob.Latest retired(DeclareRequest request, @Nullable String message) {
    return DeclaredPage.latest(request, Change.RETIRED, message);
  }

  private void cancel(DeclareRequest request, JobDefinition job, DeclareOutcome done, long now) {
    String group = job.nodeGroup();
    Author owner = new Author(Source.DECLARED, request.owner(), null);
    TriggerWithdrawal.TakenBack taken =
        takeback.cancel(
            group,
            job,
            TriggerWithdrawal.Reason.CANCELLED,
            new TriggerWithdrawal.End(owner, done.submitted().versions()),
            now);
    done.submitted().storedFeedback(taken.hasFeedback());
    done.stopped(stopper.cancel(group, job.taskId(), now));
  }
}
