package io.millrace.console.browser;

import io.millrace.api.Job;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The jobs of a shop: recurring ones, and what its applications have asked for today. */
final class SceneJobs {
  static final int DEAD = 6;
  static final int CLOSED = 30;
  static final int LETTERS = 12;

  /** The task id of the run that was split. */
  static final String SPLIT = "archive:2025";

  static final int PARTS = 12;
  static final int ENDED_PARTS = 5;

  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final RetryPolicy QUICK =
      RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(5), Duration.ofMillis(10));

  private SceneJobs() {}

  static List<Job> recurring() {
    return List.of(
        Job.builder("reports", "daily-sales")
            .cron("0 0 6 * * ?", SHANGHAI)
            .handler("render")
            .param("format", "pdf")
            .param("to", "sales@shop.example")
            .timeout(Duration.ofMinutes(20))
            .overlap(OverlapPolicy.skip())
            .build(),
        Job.builder("reports", "weekly-summary")
            .cron("0 0 8 ? * MON", SHANGHAI)
            .handler("render")
            .param("format", "xlsx")
            .build(),
        Job.builder("reports", "month-end")
            .cron("0 0 18 L * ?", SHANGHAI)
            .handler("render")
            .build(),
        Job.builder("reports", "new-york-close")
            .cron("0 30 2 * * ?", ZoneId.of("America/New_York"))
            .handler("render")
            .build(),
        Job.builder("orders", "close-unpaid").cron("0 0/10 * * * ?", SHANGHAI).build(),
        Job.builder("orders", "sync-stock")
            .every(Duration.ofMinutes(4))
            .overlap(OverlapPolicy.queue(5))
            .build(),
        Job.builder("orders", "import-prices")
            .cron("0 30 2 * * ?", SHANGHAI)
            .handler("import")
            .build(),
        Job.builder("orders", "ping-carriers").fixedDelay(Duration.ofMinutes(7)).build(),
        Job.builder("billing", "charge-subscriptions")
            .cron("0 0/15 * * * ?", SHANGHAI)
            .priority(50)
            .build(),
        Job.builder("billing", "dunning").cron("0 0 9 ? * MON-FRI", SHANGHAI).build(),
        Job.builder("billing", "year-end").cron("0 0 1 1 1 ?", SHANGHAI).build());
  }

  /** A run of twelve parts, most of which wait for an hour to be retried. */
  static Job split() {
    Duration late = Duration.ofHours(1);
    return Job.builder("orders", SPLIT)
        .handler("pack")
        .shards(PARTS)
        .retry(RetryPolicy.DEFAULT.withDelays(late, late))
        .build();
  }

  /** What has been asked for once, and is over soon after. */
  static List<Job> once() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < CLOSED; i++) {
      jobs.add(
          Job.builder("orders", "close:" + (10_400 + i)).param("order", "" + (10_400 + i)).build());
    }
    for (int i = 0; i < DEAD; i++) {
      jobs.add(
          Job.builder("billing", "charge:" + (7_301 + i))
              .handler("charge")
              .retry(i < 2 ? QUICK.withMaxRetries(2) : QUICK.withMaxRetries(0))
              .param("amount", (19 + 10 * i) + ".90")
              .param("customer", "c-" + (88_120 + 7 * i))
              .param("message", "the card was refused by the bank: 51, insufficient funds")
              .build());
    }
    jobs.add(
        Job.builder("billing", "charge:7299")
            .handler("charge")
            .retry(QUICK)
            .param("amount", "9.90")
            .param("well", "2")
            .build());
    jobs.add(
        Job.builder("billing", "invoice:5120")
            .param("refusal", "the customer has no address")
            .build());
    return jobs;
  }

  /** Letters that nobody is there to send. */
  static List<Job> late(Instant now) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < LETTERS; i++) {
      jobs.add(
          Job.builder("mail", "letter:" + (301 + i))
              .at(now.minus(Duration.ofMinutes(7)).plusSeconds(i))
              .priority(i < 3 ? 10 : Job.DEFAULT_PRIORITY)
              .build());
    }
    return jobs;
  }

  /** Planned for the next hour, once. */
  static List<Job> soon(Instant now) {
    List<Job> jobs = new ArrayList<>();
    for (int minutes = 6; minutes < 60; minutes += 11) {
      jobs.add(
          Job.builder("orders", "remind:" + (10_400 + minutes))
              .at(now.plus(Duration.ofMinutes(minutes)))
              .build());
    }
    return jobs;
  }

  /** One that runs until it is told to end. */
  static Job running(String taskId) {
    return Job.builder("reports", taskId)
        .handler("import")
        .timeout(Duration.ofMinutes(30))
        .retry(0)
        .param("file", "catalogue-2026.csv")
        .build();
  }
}
