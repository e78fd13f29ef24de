package io.millrace.api;

import io.millrace.internal.annotation.DefaultWhenMissing;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says which live jobs of a node group to list, and which page of them. Immutable; each method
 * returns a changed copy.
 *
 * @param nodeGroup the node group
 * @param state only jobs in this state; null means any. WAITING and RUNNING mean one-shots, ACTIVE,
 *     PAUSED, FINISHED and CANCELLED recurring jobs. One-shots that have ended are not listed
 * @param taskIdPrefix only jobs whose task id begins with this; null means any
 * @param handler only jobs of this handler; null means any
 * @param pageSize the most jobs of a page, 1 to {@value #MAX_PAGE_SIZE}
 * @param cursor the {@link JobPage#next} of the page before; null means the first page
 */
public record JobFilter(
    String nodeGroup,
    JobStatus.@Nullable State state,
    @Nullable String taskIdPrefix,
    @Nullable String handler,
    int pageSize,
    @Nullable String cursor) {

  /** The jobs of a page, unless set. */
  public static final int DEFAULT_PAGE_SIZE = 100;

  /** The most jobs of a page. */
  public static final int MAX_PAGE_SIZE = 1_000;

  @DefaultWhenMissing
  private static final JobFilter DEFAULTS =
      new JobFilter("", null, null, null, DEFAULT_PAGE_SIZE, null);

  public JobFilter {
    Objects.requireNonNull(nodeGroup, "nodeGroup");
  }

  /** The jobs of a node group, 100 a page. */
  public static JobFilter of(String nodeGroup) {
    return new JobFilter(nodeGroup, null, null, null, DEFAULTS.pageSize(), null);
  }

  /** Only jobs in this state. */
  public JobFilter state(JobStatus.State only) {
    return new JobFilter(nodeGroup, only, taskIdPrefix, handler, pageSize, cursor);
  }

  /** Only jobs whose task id begins with this. */
  public JobFilter taskIdPrefix(String prefix) {
    return new JobFilter(nodeGroup, state, prefix, handler, pageSize, cursor);
  }

  /** Only jobs that name this handler. */
  public JobFilter handler(String name) {
    return new JobFilter(nodeGroup, state, taskIdPrefix, name, pageSize, cursor);
  }

  /** So many jobs a page, 1 to {@value #MAX_PAGE_SIZE}. */
  public JobFilter pageSize(int jobs) {
    return new JobFilter(nodeGroup, state, taskIdPrefix, handler, jobs, cursor);
  }

  /** The page behind the one that returned this cursor. */
  public JobFilter after(String next) {
    return new JobFilter(nodeGroup, state, taskIdPrefix, handler, pageSize, next);
  }
}
