package io.millrace.jobtracker.domain.job;

import io.millrace.api.DeclareResult.Change;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code jt_declared}: what was declared last of one job. Times are epoch milliseconds.
 *
 * @param id of the row
 * @param nodeGroup with the task id, the job's key
 * @param taskId with the node group, the job's key
 * @param latest who declared it last
 * @param definition what was declared last
 * @param submissionId what that was stored under; if the job has another one, it was edited
 * @param declaredAt when this definition was declared first
 * @param retirement set if the job was retired
 * @param former what is known of the definition before
 */
public record DeclaredJob(
    long id,
    String nodeGroup,
    String taskId,
    Latest latest,
    DeclaredDefinition definition,
    String submissionId,
    long declaredAt,
    @Nullable Retirement retirement,
    Former former) {

  /**
   * The declaration that had the job last, or retired it.
   *
   * @param owner who declared
   * @param revision its revision; null if it had none
   * @param declarationId the client's id of the declaration
   * @param page the page of the declaration
   * @param change what it did to the job
   * @param message what the answer said of the job
   */
  public record Latest(
      String owner,
      @Nullable Long revision,
      String declarationId,
      int page,
      Change change,
      @Nullable String message) {}

  /**
   * That a job was retired.
   *
   * @param at when
   * @param pause the pause of the job, if it was paused
   */
  public record Retirement(long at, @Nullable Pause pause) {}

  /**
   * The definition before.
   *
   * @param digest its digest; null if there was none
   * @param reverts how often in a row the same revision went back to the former definition
   */
  public record Former(@Nullable String digest, int reverts) {
    public static final Former NONE = new Former(null, 0);
  }

  public boolean isRetired() {
    return retirement != null;
  }

  /** Whether the job belongs to this owner now. */
  public boolean belongsTo(String owner) {
    return retirement == null && latest.owner().equals(owner);
  }

  /** The row after a declaration that left the job as it is, or retired it. */
  public DeclaredJob seen(Latest now, @Nullable Retirement end) {
    return new DeclaredJob(
        id, nodeGroup, taskId, now, definition, submissionId, declaredAt, end, former);
  }
}
