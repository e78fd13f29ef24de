package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.JobStore.ListedJob;
import io.millrace.jobtracker.store.WaitingStore.Tally;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Some jobs of a node group as they were read, one table after the other and without a lock: good
 * for suspicions only.
 *
 * @param jobs those that are active or paused
 * @param listed how many triggers of them run or wait for their turn by their rows, by job id
 * @param tallies what waits, by task id
 * @param executions what is executing, by task id, of chained jobs and of those that let one
 *     trigger run at a time
 */
record JobPage(
    List<JobDefinition> jobs,
    Map<Long, ListedJob> listed,
    Map<String, Tally> tallies,
    Map<String, List<Execution>> executions) {

  Tally tally(JobDefinition job) {
    Tally none = new Tally(job.taskId(), 0, 0, 0, 0);
    return tallies.getOrDefault(job.taskId(), none);
  }

  List<Execution> executions(JobDefinition job) {
    return executions.getOrDefault(job.taskId(), List.of()).stream()
        .filter(execution -> execution.jobId() == job.id() && execution.isOfRecurringJob())
        .toList();
  }

  ListedJob listed(JobDefinition job) {
    return Objects.requireNonNull(listed.get(job.id()), "a job that was not listed");
  }
}
