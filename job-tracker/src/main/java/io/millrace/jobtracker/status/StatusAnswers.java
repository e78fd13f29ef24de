package io.millrace.jobtracker.status;

import io.millrace.api.JobStatus;
import io.millrace.api.JobStatus.State;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes answers of rows. Pure. */
final class StatusAnswers {
  private StatusAnswers() {}

  static JobStatus notKnown(
      String nodeGroup, String taskId, @Nullable String submissionId, long now) {
    return new JobStatus(
        nodeGroup, taskId, submissionId, State.NOT_KNOWN, at(now), List.of(), List.of(), null);
  }

  static JobStatus waiting(String nodeGroup, String submissionId, WaitingTrigger row, long now) {
    List<Instant> due = row.isHeld() ? List.of() : List.of(at(row.dueAt()));
    return new JobStatus(
        nodeGroup, row.key().taskId(), submissionId, State.WAITING, at(now), due, List.of(), null);
  }

  /**
   * The status of a one-shot or a run that is under way.
   *
   * @param batch what it was split into; null if it was not
   */
  static JobStatus running(Execution row, @Nullable Batch batch, long now) {
    return new JobStatus(
        row.nodeGroup(),
        row.key().taskId(),
        row.spec().submissionId(),
        State.RUNNING,
        at(now),
        List.of(),
        List.of(execution(row, batch)),
        null);
  }

  /**
   * The status of a one-shot or a run that has ended.
   *
   * @param json what it returned; null if nothing
   */
  static JobStatus ended(LedgerEntry row, @Nullable String json, long now) {
    return new JobStatus(
        row.nodeGroup(),
        row.key().taskId(),
        row.origin().submissionId(),
        State.ENDED,
        at(now),
        List.of(),
        List.of(),
        row.result(json));
  }

  static JobStatus.Execution execution(Execution row, @Nullable Batch batch) {
    return new JobStatus.Execution(
        row.id(),
        row.attempt(),
        row.workerId(),
        at(row.claimedAt()),
        batch == null ? null : parts(batch.counts()));
  }

  private static JobStatus.Parts parts(PartCounts counts) {
    return new JobStatus.Parts(counts.total(), counts.ended().total(), counts.failures());
  }

  static State stateOf(JobState state) {
    return switch (state) {
      case ACTIVE -> State.ACTIVE;
      case PAUSED -> State.PAUSED;
      case FINISHED -> State.FINISHED;
      case CANCELLED -> State.CANCELLED;
    };
  }

  static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }
}
