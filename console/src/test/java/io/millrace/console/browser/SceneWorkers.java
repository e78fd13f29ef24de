package io.millrace.console.browser;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Workers whose jobs do what their parameters say. Of the handlers {@code import} runs until it is
 * told to end, and logs what it is told to, takes a step (+) or says how far it has come (%);
 * {@code charge} throws; the others succeed.
 */
final class SceneWorkers implements AutoCloseable {
  /** Told to a job that runs: end well. */
  static final String END = "end";

  private static final Duration GRACE = Duration.ofMillis(50);

  private final String tracker;
  private final List<TaskTracker> started = new ArrayList<>();
  private final Map<String, BlockingQueue<String>> toldTo = new ConcurrentHashMap<>();

  SceneWorkers(String tracker) {
    this.tracker = tracker;
  }

  void start(String id, String nodeGroup, int slots) {
    TaskTracker worker =
        TaskTracker.builder()
            .trackers(tracker)
            .id(id)
            .nodeGroup(nodeGroup)
            .slots(slots)
            .shutdownGrace(GRACE)
            .interruptGrace(GRACE)
            .handler("import", this::goOn)
            .handler("charge", SceneWorkers::refuse)
            .handler("pack", SceneWorkers::pack)
            .runner(SceneWorkers::succeed)
            .handler("render", SceneWorkers::succeed)
            .build();
    started.add(worker);
    worker.start();
  }

  /**
   * Tells a job what to log, as a warning after {@code !}; a step to take, after {@code +}; how
   * many of 24,300 rows it has read, after {@code %}; or to {@link #END}.
   */
  void tell(String taskId, String line) {
    told(taskId).add(line);
  }

  private BlockingQueue<String> told(String taskId) {
    return toldTo.computeIfAbsent(taskId, id -> new LinkedBlockingQueue<>());
  }

  private Result goOn(JobContext context) throws Exception {
    context
        .logger()
        .info("import of {} begins", context.params().getOrDefault("file", "prices.csv"));
    BlockingQueue<String> told = told(context.taskId());
    for (String line = told.take(); !line.equals(END); line = told.take()) {
      String what = line.substring(1);
      switch (line.charAt(0)) {
        case '!' -> context.logger().warn(what);
        case '+' -> {
          context.step(what, () -> {});
          context.checkpoint(what);
        }
        case '%' -> context.progress(Long.parseLong(what), 24_300, "rows read");
        default -> context.logger().info(line);
      }
    }
    return Result.success("imported");
  }

  private static Result refuse(JobContext context) {
    context.logger().info("asking the bank for {} EUR", context.param("amount"));
    String message = context.params().getOrDefault("message", "the bank does not answer");
    context.logger().error(message);
    if (String.valueOf(context.attempt()).equals(context.param("well"))) {
      return Result.success("charged");
    }
    throw new IllegalStateException(message);
  }

  /** Four parts succeed, one fails, and the others are to be retried later. */
  private static Result pack(JobContext context) {
    int part = context.shard().index();
    if (part > 4) {
      throw new IllegalStateException("no space left on the disk");
    }
    return part == 1 ? Result.failed("the index is damaged") : Result.success();
  }

  private static Result succeed(JobContext context) {
    String params = new TreeMap<>(context.params()).toString();
    context.logger().info("done with {}", params);
    String returned = context.param("returns");
    if (returned != null) {
      return Result.of(Map.of("markup", returned));
    }
    String refusal = context.param("refusal");
    return refusal == null ? Result.success(params) : Result.failed(refusal);
  }

  @Override
  public void close() {
    started.forEach(TaskTracker::closeAsync);
    started.forEach(TaskTracker::close);
  }
}
