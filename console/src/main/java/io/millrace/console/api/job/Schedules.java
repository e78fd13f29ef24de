package io.millrace.console.api.job;

import io.millrace.api.Job;
import io.millrace.api.Schedule;
import io.millrace.console.http.Problem.Kind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
    ifGiven(wanted.at(), job::at);
    ifGiven(wanted.after(), job::after);
    ifGiven(wanted.every(), job::every);
    ifGiven(wanted.fixedDelay(), job::fixedDelay);
    ifGiven(wanted.times(), job::times);
    ifGiven(wanted.until(), job::until);
  }

  /** Sets a value unless it is null. */
  static <T> void ifGiven(@Nullable T value, Consumer<T> set) {
    if (value != null) {
      set.accept(value);
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
