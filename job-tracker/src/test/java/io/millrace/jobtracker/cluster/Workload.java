package io.millrace.jobtracker.cluster;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** 10,000 one-shots of mixed priority and behaviour, and one job of each recurring kind. */
final class Workload {
  static final String GROUP = "orders";
  static final int ONE_SHOTS = 10_000;

  static final String CRON = "cron";
  static final String REPEAT = "repeat";
  static final int REPEAT_TIMES = 25;
  static final Duration REPEAT_INTERVAL = Duration.ofMillis(200);
  static final String RELYING = "relying";
  static final int RELYING_TIMES = 10;
  static final String FIXED_DELAY = "fixed-delay";
  static final int FIXED_DELAY_TIMES = 10;
  static final Duration FIXED_DELAY_PAUSE = Duration.ofMillis(100);

  /** Ends of triggers that come by themselves: all but those of the cron job, which has no end. */
  static final int FINITE_ENDS = ONE_SHOTS + REPEAT_TIMES + RELYING_TIMES + FIXED_DELAY_TIMES;

  private static final int LINES = 3;

  private Workload() {}

  static Behaviour behaviourOf(int index) {
    int rest = index % 100;
    return rest < Behaviour.values().length ? Behaviour.values()[rest] : Behaviour.SUCCEED;
  }

  static String taskId(int index) {
    return "one-" + index;
  }

  static List<Job> oneShots() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < ONE_SHOTS; i++) {
      Job.Builder job =
          job(taskId(i), behaviourOf(i)).priority(i % 8 * 30).feedback(i % 4 == 0 || i % 100 < 6);
      if (i % 10 == 0) {
        job.param("lines", String.valueOf(LINES));
      }
      if (i % 50 == 7) {
        job.after(Duration.ofMillis(i % 3_000));
      }
      jobs.add(job.build());
    }
    return jobs;
  }

  static List<Job> recurring() {
    return List.of(
        job(CRON, Behaviour.SUCCEED)
            .cron("* * * * * ?")
            .misfire(MisfirePolicy.all())
            .overlap(OverlapPolicy.allow())
            .build(),
        job(REPEAT, Behaviour.THROW_ONCE)
            .every(REPEAT_INTERVAL)
            .times(REPEAT_TIMES)
            .misfire(MisfirePolicy.all().atMost(1_000))
            .overlap(OverlapPolicy.allow())
            .feedback(true)
            .build(),
        job(RELYING, Behaviour.SUCCEED)
            .every(Duration.ofMillis(50))
            .times(RELYING_TIMES)
            .relyOnPrevCycle(true)
            .build(),
        job(FIXED_DELAY, Behaviour.POSTPONE_ONCE)
            .fixedDelay(FIXED_DELAY_PAUSE)
            .times(FIXED_DELAY_TIMES)
            .feedback(true)
            .param("lines", String.valueOf(LINES))
            .build());
  }

  private static Job.Builder job(String taskId, Behaviour behaviour) {
    return Job.builder(GROUP, taskId)
        .handler("behave")
        .retry(Behaviour.RETRY)
        .param("behaviour", behaviour.name());
  }

  /** The handler {@code behave}. */
  static Result behave(JobContext context, int times) {
    linesOf(context).forEach(line -> context.logger().info(line));
    return Behaviour.valueOf(context.params().get("behaviour")).behave(context, times);
  }

  private static List<String> linesOf(JobContext context) {
    int count = Integer.parseInt(context.params().getOrDefault("lines", "0"));
    return lines(context.executionId(), context.taskId(), count);
  }

  private static List<String> lines(long executionId, String taskId, int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      lines.add("line %d of execution %d of %s".formatted(i, executionId, taskId));
    }
    return lines;
  }

  /** What the job log must hold of these runs, and nothing else. */
  static Map<Long, List<String>> jobLog(List<Run> runs) {
    Map<Long, List<String>> expected = new TreeMap<>();
    for (Run run : runs) {
      boolean logs =
          run.taskId().equals(FIXED_DELAY)
              || (run.taskId().startsWith("one-") && run.taskId().endsWith("0"));
      if (logs) {
        expected.put(run.executionId(), lines(run.executionId(), run.taskId(), LINES));
      }
    }
    return expected;
  }
}
