package com.example.orders;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import io.millrace.test.MillraceTest;
import io.millrace.test.TestMillrace;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The jobs alone, on a clock that the test moves. */
@MillraceTest(startAt = "2026-06-10T17:00", zone = "America/New_York")
class OrderJobsTest {
  private final OrderJobs jobs = new OrderJobs();

  @Test
  void reportRunsEachNightAndCountsTheOrders(TestMillrace millrace, JobClient client) {
    millrace.worker(
        "orders", worker -> worker.handler("report", context -> Result.success(jobs.report())));
    client.submit(Job.builder("orders", "report").handler("report").cron("0 30 2 * * ?").build());
    jobs.close("42", 1);

    millrace.advance(Duration.ofDays(3));

    millrace.runs("orders", "report").hasSucceeded(3).hasMessage("1 orders closed");
  }
}
