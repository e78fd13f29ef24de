package io.millrace.api;

/**
 * The answer to a pause or a resume.
 *
 * @param status what was done
 * @param running number of running executions; a pause lets them finish, and no further attempt
 *     follows
 * @param message for a person: what was done, or why nothing was
 */
public record ChangeResult(ChangeStatus status, int running, String message) {

  /** Whether the job is now in the requested state. */
  public boolean isDone() {
    return status == ChangeStatus.CHANGED || status == ChangeStatus.UNCHANGED;
  }
}
