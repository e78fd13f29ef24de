package io.millrace.console.api.job;

import io.millrace.common.model.Job;
import io.millrace.common.model.Schedule;
import io.millrace.console.http.Problem.Kind;

/** Converts schedules from the form that operators write. */
final class Schedules {
  private Schedules() {}

  /** Converts a schedule without a job; throws a problem if its fields contradict one another. */
  static Schedule of(JobSchedule wanted) {
    Job.Builder job = Job.builder("", "");
    set(job, wanted);
    try {
      return job.build().schedule();
    } catch (IllegalStateException e) {
      throw Kind.REJECTED.because(
          String.valueOf(e.getMessage()).replaceFirst("^job / ", "the schedule "));
    }
  }

  /** Sets the schedule of a job; throws a problem for a zone without a cron expression. */
  static void set(Job.Builder job, JobSchedule wanted) {
    if (wanted.cron() != null) {
      if (wanted.zone() == null) {
        job.cron(wanted.cron());
      } else {
        job.cron(wanted.cron(), wanted.zone());
      }
    } else if (wanted.zone() != null) {
      throw Kind.REJECTED.because("a zone is allowed only with a cron expression");
    }
    if (wanted.at() != null) {
      job.at(wanted.at());
    }
    if (wanted.after() != null) {
      job.after(wanted.after());
    }
    if (wanted.every() != null) {
      job.every(wanted.every());
    }
    if (wanted.fixedDelay() != null) {
      job.fixedDelay(wanted.fixedDelay());
    }
    if (wanted.times() != null) {
      job.times(wanted.times());
    }
    if (wanted.until() != null) {
      job.until(wanted.until());
    }
  }

  /** Builds the job; throws a problem if its fields contradict one another. */
  static Job build(Job.Builder job) {
    try {
      return job.build();
    } catch (IllegalStateException e) {
      throw Kind.REJECTED.because(String.valueOf(e.getMessage()));
    }
  }
}
