package io.millrace.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the jobs of a node group: recurring jobs first, then waiting one-shots, then those
 * that run, each in the order of task ids. A one-shot that a worker claims while the pages are read
 * may be on two of them.
 *
 * @param jobs the jobs; may be fewer than the page size, and even none, although more follow
 * @param next the cursor of the next page, see {@link JobFilter#after}; null if this is the last
 */
public record JobPage(List<Item> jobs, @Nullable String next) {

  public JobPage {
    jobs = jobs == null ? List.of() : List.copyOf(jobs);
  }

  /**
   * One job.
   *
   * @param taskId the job's task id
   * @param submissionId the id of the submit that it came by
   * @param state the state
   * @param handler the name of the handler; null for the worker's only one
   * @param priority 0 to 255, lower runs first
   * @param schedule of a recurring job; null for a one-shot
   * @param dueAt of a waiting one-shot, when its next attempt may start; otherwise null
   * @param execution of a running one-shot, its execution; otherwise null
   */
  public record Item(
      String taskId,
      String submissionId,
      JobStatus.State state,
      @Nullable String handler,
      int priority,
      @Nullable Schedule schedule,
      @Nullable Instant dueAt,
      JobStatus.@Nullable Execution execution) {

    /** Makes a job that does not run, or a recurring one. */
    public Item(
        String taskId,
        String submissionId,
        JobStatus.State state,
        @Nullable String handler,
        int priority,
        @Nullable Schedule schedule,
        @Nullable Instant dueAt) {
      this(taskId, submissionId, state, handler, priority, schedule, dueAt, null);
    }

    public Item {
      state = state == null ? JobStatus.State.UNKNOWN : state;
    }
  }
}
