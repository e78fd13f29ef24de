package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.JobStore.ListedJob;
import io.millrace.jobtracker.store.WaitingStore.Tally;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A page of jobs of a node group, read from one table after the other without a lock: sufficient
 * for suspicions only.
 *
 * @param jobs the active and the paused jobs
 * @param listed the jobs as listed, with the number of triggers that run or wait for their turn by
 *     their rows, by job id
 * @param tallies the counts of waiting triggers, by task id
 * @param executions the executions of chained jobs and of jobs that let one trigger run at a time,
 *     by task id
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
