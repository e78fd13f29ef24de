package io.millrace.jobtracker.submit;

import io.millrace.jobtracker.disposition.EndRecorder;
import io.millrace.jobtracker.domain.trigger.EndStatus;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.TriggerEnd;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import java.util.List;

/**
 * Takes back what waits, in the transaction of the caller: of a job that is replaced or cancelled.
 * Thread-safe.
 */
final class JobTakeback {
  private final Stores stores;
  private final EndRecorder recorder;
  private final IdSequence ids;

  JobTakeback(Stores stores, EndRecorder recorder, IdSequence ids) {
    this.stores = stores;
    this.recorder = recorder;
    this.ids = ids;
  }

  /**
   * Deletes waiting one-shots and records them as cancelled.
   *
   * @return whether there is feedback to push
   * @throws RaceLostException if one of them was claimed meanwhile
   */
  boolean cancelWaiting(String group, List<WaitingTrigger> rows, String cause, long now) {
    delete(group, rows);
    return recorder.record(
        rows.stream().map(row -> end(group, row, specOf(row), cause, now)).toList(), now);
  }

  /**
   * Makes a live job CANCELLED and takes its triggers back.
   *
   * @return whether there is feedback to push
   */
  boolean endJob(String group, long jobId, String cause, long now) {
    JobDefinition job =
        stores
            .jobs()
            .find(jobId)
            .filter(found -> found.state().isLive())
            .orElseThrow(() -> new RaceLostException("job " + jobId + " ended meanwhile"));
    if (!stores.jobs().replace(job.ended(JobState.CANCELLED), job.version())) {
      throw new RaceLostException("job " + jobId + " changed meanwhile");
    }
    return takeBackTriggers(group, job, cause, now).hasFeedback();
  }

  /**
   * What was taken back.
   *
   * @param rows waiting rows deleted
   * @param hasFeedback whether there is feedback to push
   */
  record TakenBack(int rows, boolean hasFeedback) {}

  /**
   * Deletes the waiting triggers of a recurring job whose row the caller has written. Those planned
   * for later vanish without a trace, as if never generated; those whose instant is past get their
   * disposition.
   */
  TakenBack takeBackTriggers(String group, JobDefinition job, String cause, long now) {
    List<WaitingTrigger> rows =
        stores.waiting().findByTask(group, job.taskId()).stream()
            .filter(WaitingTrigger::isOfRecurringJob)
            .toList();
    delete(group, rows);
    List<TriggerEnd> ends =
        rows.stream()
            .filter(row -> row.plannedFor() <= now)
            .map(row -> end(group, row, job.spec(), cause, now))
            .toList();
    return new TakenBack(rows.size(), recorder.record(ends, now));
  }

  private void delete(String group, List<WaitingTrigger> rows) {
    List<Long> rowIds = rows.stream().map(WaitingTrigger::id).toList();
    if (stores.waiting().delete(group, rowIds) != rowIds.size()) {
      throw new RaceLostException("a trigger of " + group + " was claimed meanwhile");
    }
  }

  private TriggerEnd end(
      String group, WaitingTrigger row, TriggerSpec spec, String cause, long now) {
    ids.observe(row.id());
    return TriggerEnd.ofWaiting(ids.next(now), group, row, spec, EndStatus.CANCELLED, cause, now);
  }

  private static TriggerSpec specOf(WaitingTrigger row) {
    if (row.spec() == null) {
      throw new IllegalStateException("waiting row " + row.id() + " is of a recurring job");
    }
    return row.spec();
  }
}
