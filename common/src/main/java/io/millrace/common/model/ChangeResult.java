package io.millrace.common.model;

/**
 * The answer to a pause or a resume.
 *
 * @param status what was done
 * @param running executions under way, which a pause lets finish; no attempt of them follows
 * @param message for a person: what was done, or why nothing was
 */
public record ChangeResult(ChangeStatus status, int running, String message) {

  /** Whether the job is now as it was asked for. */
  public boolean isDone() {
    return status == ChangeStatus.CHANGED || status == ChangeStatus.UNCHANGED;
  }
}
