package io.millrace.torture.load;

import io.millrace.tasktracker.JobRunner;
import io.millrace.torture.journal.RunJournal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is submitted, when, and what the bodies do. Equal seeds, lengths and begins give equal
 * workloads, in whatever process. Immutable.
 */
public final class Workload {
  /** Each with a waiting table of its own, so that there is something to balance over trackers. */
  static final List<String> GROUPS = List.of("audit", "mail", "orders", "stock");

  private final List<Step> steps;
  private final Instant begin;

  private Workload(List<Step> steps, Instant begin) {
    this.steps = steps;
    this.begin = begin;
  }

  /**
   * The workload of a seed.
   *
   * @param seconds how long the load lasts: nothing is planned later
   * @param begin from which the steps and the instants of the jobs are counted
   */
  public static Workload of(long seed, int seconds, Instant begin) {
    List<PlannedStep> planned = new ArrayList<>();
    planned.addAll(new OneShotLoad(seed, seconds, begin.toEpochMilli()).steps());
    planned.addAll(new RecurringLoad(seed, seconds, begin.toEpochMilli()).steps());
    planned.sort(Comparator.comparingLong(PlannedStep::at));
    List<Step> steps = new ArrayList<>();
    for (PlannedStep step : planned) {
      steps.add(new Step(steps.size(), Duration.ofMillis(step.at()), step.kind(), step.job()));
    }
    return new Workload(List.copyOf(steps), begin);
  }

  /** A step that has no number yet, at milliseconds from the begin. */
  record PlannedStep(long at, Step.Kind kind, LoadJob job) {}

  /** What the clients do, in order of time; steps of one job in the order they must keep. */
  public List<Step> steps() {
    return steps;
  }

  /**
   * What one of several clients does: all steps of a job are the same client's.
   *
   * @param client from 1
   */
  public List<Step> stepsOf(int client, int clients) {
    return steps.stream()
        .filter(step -> Math.floorMod(step.job().taskId().hashCode(), clients) == client - 1)
        .toList();
  }

  /** Every job, by its key; of one that is replaced, the first version. */
  public Map<String, LoadJob> jobs() {
    Map<String, LoadJob> jobs = new LinkedHashMap<>();
    steps.forEach(step -> jobs.putIfAbsent(step.job().key(), step.job()));
    return jobs;
  }

  /** From when on the steps are counted. */
  public Instant begin() {
    return begin;
  }

  /** The node groups that the jobs are for; each worker process works for all of them. */
  public List<String> nodeGroups() {
    return GROUPS;
  }

  /** Runs every job, and writes into the journal when a body begins and ends. */
  public static JobRunner runner(RunJournal journal) {
    return new LoadRunner(journal);
  }
}
