package io.millrace.torture.load;

import io.millrace.common.model.Job;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import io.millrace.torture.journal.RunJournal;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** What is submitted, when, and what the bodies do. Equal seeds give equal workloads. Immutable. */
public final class Workload {
  private static final int STEPS_PER_SECOND = 10;

  private final List<Step> steps;

  private Workload(List<Step> steps) {
    this.steps = steps;
  }

  /**
   * Plans a load.
   *
   * @param seconds how long the load lasts
   */
  public static Workload of(long seed, int seconds) {
    return new Workload(
        IntStream.range(0, seconds * STEPS_PER_SECOND).mapToObj(n -> step(seed, n)).toList());
  }

  private static Step step(long seed, int number) {
    return new Step(
        number,
        Duration.ofMillis(1_000L * number / STEPS_PER_SECOND),
        Job.builder("orders", "one-" + seed + "-" + number).build());
  }

  /** What the clients do, in order of time. */
  public List<Step> steps() {
    return steps;
  }

  /** The node groups that the jobs are for; each worker process works for all of them. */
  public List<String> nodeGroups() {
    return List.of("orders");
  }

  /** Runs every job, and writes into the journal when a body begins and ends. */
  public JobRunner runner(RunJournal journal) {
    return context -> {
      journal.began(context);
      journal.ended(context);
      return Result.success();
    };
  }
}
