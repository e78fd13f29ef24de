package com.example.orders;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import java.time.Duration;
import java.time.ZoneId;

/** A worker that closes orders and writes a report each night. */
public final class Orders {
  static final String GROUP = "orders";

  private Orders() {}

  /** Adds the handlers to a worker: the one below, or one of a test. */
  static void addTo(TaskTrackerBuilder worker) {
    worker.handler("close", Orders::close).handler("report", Orders::report);
  }

  static Job close(String orderId, Duration delay) {
    return Job.builder(GROUP, "close:" + orderId)
        .handler("close")
        .param("orderId", orderId)
        .after(delay)
        .build();
  }

  static Job nightlyReport() {
    return Job.builder(GROUP, "report")
        .handler("report")
        .cron("0 30 2 * * ?", ZoneId.of("America/New_York"))
        .build();
  }

  private static Result close(JobContext context) {
    return Result.success("closed " + context.param("orderId"));
  }

  private static Result report(JobContext context) {
    context.logger().info("report of {}", context.plannedFor());
    return Result.success();
  }

  /** Runs until it is interrupted; the argument is the address of a tracker. */
  public static void main(String[] arguments) throws InterruptedException {
    String tracker = arguments.length == 0 ? "127.0.0.1:35001" : arguments[0];
    TaskTrackerBuilder builder = TaskTracker.builder().trackers(tracker).nodeGroup(GROUP);
    addTo(builder);
    TaskTracker worker = builder.build();
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    worker.start();
    try (JobClient client = JobClient.builder().trackers(tracker).build()) {
      client.submit(nightlyReport());
      client.submit(close("42", Duration.ofSeconds(1)));
    }
    Thread.currentThread().join();
  }
}
