package io.millrace.jobtracker.submit.job;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the recurring jobs that requests concern, and locks their rows: what is read of a job stays
 * valid until the end of the caller's transaction. Thread-safe.
 */
public final class LockedJobs {
  private final Stores stores;

  public LockedJobs(Stores stores) {
    this.stores = stores;
  }

  /** Locks and reads the job of this task id, live or not, with all its parameters. */
  public Optional<JobDefinition> find(String group, String taskId) {
    return stores.jobs().findByTasks(group, List.of(taskId)).stream()
        .findFirst()
        .flatMap(job -> find(job.id()));
  }

  /** Locks and reads the job of this id, live or not, with all its parameters. */
  public Optional<JobDefinition> find(long id) {
    return stores.jobs().lock(List.of(id)).isEmpty() ? Optional.empty() : stores.jobs().find(id);
  }

  /**
   * Writes a job over one of its versions.
   *
   * @throws RaceLostException if the row no longer has that version
   */
  public void replace(JobDefinition written, int version) {
    if (!stores.jobs().replace(written, version)) {
      throw new RaceLostException("job " + written.id() + " changed in the meantime");
    }
  }

  /** Whether the job's row has the version, state and pause that were to be written. */
  public boolean shows(JobDefinition written) {
    return find(written.id())
        .filter(job -> job.version() == written.version() && job.state() == written.state())
        .filter(job -> Objects.equals(job.pause(), written.pause()))
        .isPresent();
  }

  /** The answer that the job of this task id cannot be changed; null if it can. */
  public @Nullable ChangeResult refusal(
      String group, String taskId, Optional<JobDefinition> found) {
    String name = group + "/" + taskId;
    if (found.isPresent() && found.get().state().isLive()) {
      return isOver(group, found.get())
          ? refused(name + " is finished: it has no fire time left")
          : null;
    }
    if (hasOneShot(group, taskId)) {
      return refused(name + " is a one-shot, which can only be replaced or cancelled");
    }
    return found
        .map(job -> refused(name + " is " + job.state()))
        .orElseGet(() -> unknown(group, taskId));
  }

  private static ChangeResult refused(String message) {
    return new ChangeResult(ChangeStatus.REFUSED, 0, message);
  }

  /** The answer that there is no job of this task id. */
  public static ChangeResult unknown(String group, String taskId) {
    String message = "there is no job " + group + "/" + taskId;
    return new ChangeResult(ChangeStatus.NOT_FOUND, 0, message);
  }

  /**
   * Whether the job has no fire time, trigger or execution left, and only its state is not updated
   * yet.
   */
  public boolean isOver(String group, JobDefinition job) {
    return job.exhausted()
        && stores.waiting().findByTask(group, job.taskId()).stream()
            .noneMatch(WaitingTrigger::isOfRecurringJob)
        && stores.runs().findByTasks(group, List.of(job.taskId())).isEmpty();
  }

  /**
   * Whether there is a one-shot. Reads the waiting table a second time at the end, because the
   * one-shot may have returned to it meanwhile.
   */
  private boolean hasOneShot(String group, String taskId) {
    List<String> key = List.of(taskId);
    return !stores.waiting().findOneShots(group, key).isEmpty()
        || stores.runs().findByTasks(group, key).stream()
            .anyMatch(execution -> !execution.isOfRecurringJob())
        || !stores.waiting().findOneShots(group, key).isEmpty();
  }

  /**
   * Whether an execution is under way that will write the next trigger of a chained job when it
   * ends.
   */
  boolean hasNextToCome(JobDefinition job) {
    return stores.runs().findByTasks(job.nodeGroup(), List.of(job.taskId())).stream()
        .filter(execution -> execution.jobId() == job.id() && !execution.key().isExtra())
        .map(Execution::spec)
        .anyMatch(spec -> spec.chained());
  }
}
