package io.millrace.jobtracker.model;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import java.time.Duration;

/** Jobs of every kind of schedule and policy. */
final class SampleJobs {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int KINDS = 11;

  private SampleJobs() {}

  /** A job of the kind that the choice names. */
  static Job.Builder of(String taskId, int choice) {
    Job.Builder job = HandDrivenTracker.job(taskId);
    int retries = choice / KINDS % 3;
    job.retry(
        RetryPolicy.retries(retries).withDelays(SECOND.multipliedBy(2), SECOND.multipliedBy(4)));
    return switch (choice % KINDS) {
      case 0 -> job.every(SECOND.multipliedBy(7)).overlap(OverlapPolicy.allow());
      case 1 -> job.every(SECOND.multipliedBy(5)).times(9).overlap(OverlapPolicy.skip());
      case 2 -> job.every(SECOND.multipliedBy(5)).overlap(OverlapPolicy.queue(2));
      case 3 ->
          job.cron("0/20 * * * * ?")
              .overlap(OverlapPolicy.queue(1))
              .misfire(MisfirePolicy.all().within(Duration.ofMinutes(10)).atMost(3));
      case 4 -> job.every(SECOND.multipliedBy(10)).relyOnPrevCycle(true);
      case 5 -> job.fixedDelay(SECOND.multipliedBy(15)).times(4);
      case 6 -> job.after(SECOND.multipliedBy(5));
      case 7 -> job.cron("0 * * * * ?").misfire(MisfirePolicy.none());
      case 8 ->
          job.every(SECOND.multipliedBy(30))
              .misfire(MisfirePolicy.all().atMost(5).alsoAfterPause())
              .overlap(OverlapPolicy.skip());
      case 9 -> job.every(SECOND.multipliedBy(6));
      default ->
          job.cron("0/30 * * * * ?")
              .relyOnPrevCycle(true)
              .overlap(OverlapPolicy.allow())
              .misfire(MisfirePolicy.latest().alsoAfterPause());
    };
  }
}
