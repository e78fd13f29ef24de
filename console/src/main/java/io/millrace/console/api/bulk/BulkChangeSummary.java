package io.millrace.console.api.bulk;

import io.millrace.console.api.Times;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.End;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Progress;
import io.millrace.jobtracker.store.console.BulkChangeStore.Request;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bulk change.
 *
 * @param everything whether it has no filter
 * @param reason of a pause
 * @param params new parameters of a replay; null keeps the former ones
 * @param requestedAt what is stored, claimed or dead later is left
 * @param total how many matched when it began; null if they are not yet counted, or too many
 * @param done how many were tried, failed ones included
 * @param failures the first 20 that failed
 * @param endedAt null while it is under way
 * @param endReason who stopped it, or why it failed; null if it is under way or done
 */
public record BulkChangeSummary(
    String id,
    Action action,
    BulkFilter filter,
    boolean everything,
    @Nullable String reason,
    @Nullable Map<String, String> params,
    boolean keepSucceeded,
    String requestedBy,
    Instant requestedAt,
    Condition state,
    @Nullable Long total,
    long done,
    long failed,
    List<NotChanged> failures,
    @Nullable Instant endedAt,
    @Nullable String endReason) {

  /** How far a bulk change is. */
  public enum Condition {
    /** Nothing is changed yet. */
    WAITING,
    /** It is under way. */
    RUNNING,
    /** All are changed, except those that failed. */
    DONE,
    /** An operator stopped it. */
    STOPPED,
    /** It ended before all were changed. */
    FAILED
  }

  /**
   * One that could not be changed.
   *
   * @param nodeGroup null if it is that of the filter
   * @param taskId of the job
   * @param id of the execution or the dead trigger; null of a job
   */
  public record NotChanged(
      String name,
      @Nullable String nodeGroup,
      @Nullable String taskId,
      @Nullable String id,
      String why) {
    static NotChanged of(Failure failure) {
      return new NotChanged(
          failure.name(),
          failure.nodeGroup(),
          failure.taskId(),
          failure.id() == null ? null : String.valueOf(failure.id()),
          failure.why());
    }
  }

  static BulkChangeSummary of(BulkChange change) {
    Request request = change.request();
    Progress progress = change.progress();
    End end = change.end();
    BulkFilter filter = BulkFilter.of(request.filter());
    return new BulkChangeSummary(
        String.valueOf(change.id()),
        request.action(),
        filter,
        filter.equals(BulkFilter.NONE),
        request.options().reason(),
        request.options().params(),
        request.options().keepSucceeded(),
        request.operator(),
        Instant.ofEpochMilli(request.at()),
        conditionOf(progress, end),
        progress.total(),
        progress.done(),
        progress.failed(),
        progress.failures().stream().map(NotChanged::of).toList(),
        end == null ? null : Times.instant(end.at()),
        end == null ? null : end.reason());
  }

  private static Condition conditionOf(Progress progress, @Nullable End end) {
    if (end == null) {
      return progress.done() == 0 ? Condition.WAITING : Condition.RUNNING;
    }
    return Condition.valueOf(end.state().name());
  }
}
