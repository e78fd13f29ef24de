package io.millrace.console.api.job;

import io.millrace.common.model.Job;
import io.millrace.common.model.Schedule;
import io.millrace.console.http.Problem.Kind;

/** Schedules as operators write them, made into those of jobs. */
final class Schedules {
  private Schedules() {}

  /** The schedule of a job that is nobody's; throws a problem if its parts exclude one another. */
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

  /** Sets what a job's schedule is made of. */
  static void set(Job.Builder job, JobSchedule wanted) {
    if (wanted.cron() != null) {
      if (wanted.zone() == null) {
        job.cron(wanted.cron());
      } else {
        job.cron(wanted.cron(), wanted.zone());
      }
    } else if (wanted.zone() != null) {
      throw Kind.REJECTED.because("a zone goes with a cron expression");
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

  /** Builds the job; throws a problem if its parts exclude one another. */
  static Job build(Job.Builder job) {
    try {
      return job.build();
    } catch (IllegalStateException e) {
      throw Kind.REJECTED.because(String.valueOf(e.getMessage()));
    }
  }
}
