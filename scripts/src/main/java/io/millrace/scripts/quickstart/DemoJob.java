package io.millrace.scripts.quickstart;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * One of the jobs that the quickstart submits.
 *
 * @param kind a description of the job's special feature, for people
 * @param job the job to submit
 * @param expectedRuns the number of its runs that must complete for {@code --once} to succeed; 0 if
 *     the job is only shown
 */
record DemoJob(String kind, Job job, int expectedRuns) {
  static final String NODE_GROUP = "demo";

  private static final int REPEATS = 4;
  private static final RetryPolicy QUICK_RETRY =
      RetryPolicy.retries(3).withDelays(Duration.ofMillis(500), Duration.ofSeconds(2));
  private static final RetryPolicy SHORT_RETRY =
      RetryPolicy.retries(2).withDelays(Duration.ofSeconds(1), Duration.ofSeconds(2));

  /** Returns one job of each kind. */
  static List<DemoJob> all(Instant now) {
    return List.of(
        required(1, "one-shot", echo("now")),
        shown("at an instant", echo("at").at(now.plusSeconds(3))),
        shown("after 2 s", echo("after").after(Duration.ofSeconds(2))),
        required(1, "cron, every 2 s", echo("cron").cron("0/2 * * * * ?", ZoneId.of("UTC"))),
        required(
            REPEATS,
            "every 1 s, " + REPEATS + " times",
            echo("repeat")
                .every(Duration.ofSeconds(1))
                .times(REPEATS)
                .misfire(MisfirePolicy.all())),
        shown("every 5 s, endless", echo("endless").every(Duration.ofSeconds(5))),
        shown(
            "3 s after the last",
            job("fixed-delay", "sleep").param("for", "700ms").fixedDelay(Duration.ofSeconds(3))),
        shown("fails twice", job("flaky", "fail").param("times", "2").retry(QUICK_RETRY)),
        shown(
            "dies of its error",
            job("invoices", "fail")
                .param("message", "no such table: invoices_2019")
                .every(Duration.ofMinutes(5))
                .retry(SHORT_RETRY)),
        shown(
            "runs for 2 min",
            job("import", "sleep").param("for", "2m").fixedDelay(Duration.ofSeconds(10))),
        shown("with feedback", echo("feedback").feedback(true)));
  }

  private static DemoJob required(int runs, String kind, Job.Builder job) {
    return new DemoJob(kind, job.build(), runs);
  }

  private static DemoJob shown(String kind, Job.Builder job) {
    return required(0, kind, job);
  }

  private static Job.Builder echo(String taskId) {
    return job(taskId, "echo").param("hello", "from " + taskId);
  }

  /** Creates a job that replaces the one of an earlier quickstart in the same data directory. */
  private static Job.Builder job(String taskId, String handler) {
    return Job.builder(NODE_GROUP, taskId).handler(handler).replaceExisting(true);
  }
}
