package io.millrace.console.api.job;

import io.millrace.console.api.JobRun;
import io.millrace.internal.codec.Flattened;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job with its definition and its current state.
 *
 * @param id of the job, under which the ledger records its ends
 * @param version increases with every edit; 0 for a one-shot
 * @param scheduleInWords in the requested language
 * @param declared who declared it last; null if nobody did
 * @param labelsNobodyHas labels that it requires and no connected worker of its node group has
 * @param lastRuns its ended runs, latest planned time first; null unless the request asks for runs
 */
public record JobDetail(
    String nodeGroup,
    String taskId,
    String id,
    JobCondition state,
    int version,
    JobSchedule schedule,
    String scheduleInWords,
    @Flattened JobSettings settings,
    @Flattened JobOrigin origin,
    @Nullable Declared declared,
    @Flattened JobProgress progress,
    List<String> labelsNobodyHas,
    @Nullable List<JobRun> lastRuns) {

  /**
   * Who declared a job last. An edit of a declared job stays until the owner declares the job
   * differently.
   *
   * @param revision of the declaration that had the job last; null if it had none
   * @param declaredAt when what is declared was declared first
   * @param retiredAt when the owner stopped declaring the job; null while it is declared
   */
  public record Declared(
      String owner, @Nullable Long revision, Instant declaredAt, @Nullable Instant retiredAt) {

    static Declared of(DeclaredJob row) {
      DeclaredJob.Retirement retirement = row.retirement();
      return new Declared(
          row.latest().owner(),
          row.latest().revision(),
          Instant.ofEpochMilli(row.declaredAt()),
          retirement == null ? null : Instant.ofEpochMilli(retirement.at()));
    }
  }
}
