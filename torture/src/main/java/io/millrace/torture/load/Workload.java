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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The submitted jobs, their times, and the behaviour of their invocations. Equal plans and begins
 * give equal workloads in every process. Immutable.
 */
public final class Workload {
  /** Each node group has its own waiting table, so that trackers can share the load. */
  static final List<String> GROUPS = List.of("audit", "mail", "orders", "stock");

  /** The label of one worker, which may be dead for a while. */
  static final String FIRST = "first";

  /** The label of every other worker. */
  static final String ODD = "odd";

  private static final Pattern NUMBER = Pattern.compile("worker-(\\d+)");

  private final List<Step> steps;
  private final Instant begin;

  private Workload(List<Step> steps, Instant begin) {
    this.steps = steps;
    this.begin = begin;
  }

  /**
   * Creates the workload of a plan.
   *
   * @param begin the origin of the times of steps and jobs
   */
  public static Workload of(LoadPlan plan, Instant begin) {
    List<PlannedStep> planned = new ArrayList<>();
    planned.addAll(new OneShotLoad(plan, begin.toEpochMilli()).steps());
    planned.addAll(new RecurringLoad(plan, begin.toEpochMilli()).steps());
    planned.sort(Comparator.comparingLong(PlannedStep::at));
    List<Step> steps = new ArrayList<>();
    for (PlannedStep step : planned) {
      steps.add(new Step(steps.size(), Duration.ofMillis(step.at()), step.kind(), step.job()));
    }
    return new Workload(List.copyOf(steps), begin);
  }

  /** A step without a number, at milliseconds after the begin. */
  record PlannedStep(long at, Step.Kind kind, LoadJob job) {}

  /**
   * Returns the steps of all clients, ordered by time; steps of one job keep their required order.
   */
  public List<Step> steps() {
    return steps;
  }

  /**
   * Returns the steps of one client; all steps of a job belong to the same client.
   *
   * @param client the number of the client, from 1
   */
  public List<Step> stepsOf(int client, int clients) {
    return steps.stream()
        .filter(step -> Math.floorMod(step.job().taskId().hashCode(), clients) == client - 1)
        .toList();
  }

  /** Returns every job by its key; for a replaced job, the first version. */
  public Map<String, LoadJob> jobs() {
    Map<String, LoadJob> jobs = new LinkedHashMap<>();
    steps.forEach(step -> jobs.putIfAbsent(step.job().key(), step.job()));
    return jobs;
  }

  /** Returns the origin of the step times. */
  public Instant begin() {
    return begin;
  }

  /**
   * Returns the labels of a worker process.
   *
   * @param worker its name, which contains {@code worker-} and its number, from 1
   */
  public static Set<String> labelsOf(String worker) {
    Matcher matcher = NUMBER.matcher(worker);
    int number = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    return number == 1 ? Set.of(FIRST, ODD) : number % 2 == 1 ? Set.of(ODD) : Set.of();
  }

  /** Returns what a successful invocation that makes no parts returns. */
  public static long valueOf(long executionId) {
    return LoadRunner.valueOf(executionId);
  }

  /** Returns the node groups of the jobs; each worker process serves all of them. */
  public List<String> nodeGroups() {
    return GROUPS;
  }

  /** Creates the runner of {@link LoadJob#REDUCE}, which records each invocation too. */
  public static JobRunner reducer(RunJournal journal) {
    return new LoadRunner(journal)::reduce;
  }

  /** Creates a runner for every job that records the begin and the end of each invocation. */
  public static JobRunner runner(RunJournal journal) {
    return new LoadRunner(journal);
  }
}
