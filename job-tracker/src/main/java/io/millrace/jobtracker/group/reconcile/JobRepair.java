package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What every check of a node group uses to repair a job. */
record JobRepair(String group, Stores stores, IdSequence ids, Signals signals) {

  /** A job, for messages. */
  String nameOf(JobDefinition job) {
    return nameOf(job.id(), job.taskId());
  }

  /** A job of which only the id and the task id are known, for messages. */
  String nameOf(long jobId, String taskId) {
    return group + "/" + taskId + " (job " + jobId + ")";
  }

  /** Runs a repair in a transaction, again if another transaction was committed first. */
  <T> T inTransaction(String what, Supplier<T> repair) {
    return RaceLostException.retrying(
        () -> stores.transactions().repeating("reconcile " + what, repair));
  }

  /** Until the transaction is over, no other one edits, generates or ends the job. */
  Optional<JobDefinition> lock(long jobId) {
    return stores.jobs().lock(List.of(jobId)).isEmpty()
        ? Optional.empty()
        : stores.jobs().find(jobId);
  }

  /**
   * The executions of a job. While the job's row is locked, its triggers move from waiting to
   * executing and not back, so a check that needs both reads the waiting triggers first.
   */
  List<Execution> executionsOf(JobDefinition job) {
    return stores.runs().findByTasks(group, List.of(job.taskId())).stream()
        .filter(execution -> execution.jobId() == job.id() && execution.isOfRecurringJob())
        .toList();
  }
}
