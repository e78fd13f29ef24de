package io.millrace.torture.load;

import static io.millrace.torture.load.Workload.FIRST;
import static io.millrace.torture.load.Workload.ODD;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.torture.load.Step.Kind;
import io.millrace.torture.load.Workload.PlannedStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Recurring jobs of every kind in each node group: some for the whole run, some short. */
final class RecurringLoad {
  /** The task id prefix of the jobs whose starts measure dispatch gaps. */
  static final String PROBE = "probe-";

  private static final long PROBE_INTERVAL = 100;
  private static final int PROBE_PRIORITY = 10;
  private static final int BEGIN = 3_000;
  private static final int LAST_CHANGE_BEFORE_END = 5_000;

  /** Some runs take longer and others do not. */
  private static final Duration SHORT = Duration.ofMillis(1_200);

  private final LoadPlan plan;
  private final SplittableRandom random;
  private final long begin;
  private final long length;
  private final List<PlannedStep> steps = new ArrayList<>();

  RecurringLoad(LoadPlan plan, long begin) {
    this.plan = plan;
    this.random = new SplittableRandom(plan.seed() * 31 + 2);
    this.begin = begin;
    this.length = plan.millis();
  }

  List<PlannedStep> steps() {
    for (String group : Workload.GROUPS) {
      addLasting(group);
      addCharging(group);
      addSplit(group);
      addSplitThatFails(group);
      addPlaced(group);
      addBroadcasts(group);
      addPaused(group);
      addEdited(group);
      addShort(group);
    }
    return steps;
  }

  private void addLasting(String group) {
    submit(
        job(group, PROBE, repeat(Timing.Kind.REPEAT, PROBE_INTERVAL), Behaviour.SUCCEED)
            .priority(PROBE_PRIORITY));
    submit(job(group, "tick-", cron(1), Behaviour.SUCCEED));
    submit(
        job(group, "skip-", cron(1), Behaviour.WORK)
            .overlap(OverlapPolicy.skip())
            .misfire(MisfirePolicy.latest()));
    submit(
        job(group, "queue-", repeat(Timing.Kind.REPEAT, 1_000), Behaviour.WORK)
            .overlap(OverlapPolicy.queue(5))
            .misfire(MisfirePolicy.none()));
    submit(job(group, "throw-", repeat(Timing.Kind.REPEAT, 1_700), Behaviour.THROW_ONCE));
    submit(
        job(group, "later-", repeat(Timing.Kind.REPEAT, 2_300), Behaviour.LATER_ONCE)
            .misfire(MisfirePolicy.none()));
    submit(job(group, "delay-", repeat(Timing.Kind.FIXED_DELAY, 900), Behaviour.THROW_ONCE));
    submit(
        job(group, "delay-later-", repeat(Timing.Kind.FIXED_DELAY, 1_300), Behaviour.LATER_ONCE)
            .misfire(MisfirePolicy.latest()));
    submit(job(group, "rely-", repeat(Timing.Kind.RELYING, 500), Behaviour.WORK));
    submit(job(group, "long-", cron(20), Behaviour.WORK_LONG).overlap(OverlapPolicy.queue(3)));
  }

  /** Adds jobs that run a step; some of their triggers die after it and are replayed. */
  private void addCharging(String group) {
    submit(job(group, "charge-", cron(2), Behaviour.CHARGE_ONCE));
    submit(
        job(group, "charge-delay-", repeat(Timing.Kind.FIXED_DELAY, 1_100), Behaviour.CHARGE_ONCE));
    submit(
        job(group, "charge-skip-", cron(1), Behaviour.CHARGE_ONCE)
            .overlap(OverlapPolicy.skip())
            .misfire(MisfirePolicy.latest()));
    submit(LoadJob.dying(group, group, cron(3)));
    submit(LoadJob.dying(group, "delay-" + group, repeat(Timing.Kind.FIXED_DELAY, 2_500)));
    submit(
        LoadJob.dying(group, "queue-" + group, repeat(Timing.Kind.REPEAT, 4_000))
            .overlap(OverlapPolicy.queue(5))
            .misfire(MisfirePolicy.none()));
  }

  /** Adds jobs whose runs are split, with every rule about when the next run may begin. */
  private void addSplit(String group) {
    submit(job(group, "split-", cron(2), Behaviour.THROW_ONCE).split(Splitting.shards(3)));
    submit(
        job(group, "split-skip-", cron(1), Behaviour.WORK)
            .split(Splitting.shards(4))
            .overlap(OverlapPolicy.skip())
            .misfire(MisfirePolicy.latest()));
    submit(
        job(group, "split-queue-", repeat(Timing.Kind.REPEAT, 3_000), Behaviour.CHARGE_ONCE)
            .split(Splitting.shards(2))
            .overlap(OverlapPolicy.queue(5))
            .misfire(MisfirePolicy.none()));
    submit(
        job(group, "split-delay-", repeat(Timing.Kind.FIXED_DELAY, 1_500), Behaviour.SUCCEED)
            .split(Splitting.shards(2).reducing()));
    submit(job(group, "map-", cron(3), Behaviour.THROW_ONCE).split(Splitting.map(6)));
    submit(
        job(group, "map-skip-", cron(2), Behaviour.SUCCEED)
            .split(Splitting.map(7))
            .overlap(OverlapPolicy.skip())
            .misfire(MisfirePolicy.latest()));
    submit(
        job(group, "map-delay-", repeat(Timing.Kind.FIXED_DELAY, 2_500), Behaviour.FAIL)
            .split(Splitting.map(5)));
    addEdited(job(group, "split-edit-", cron(2), Behaviour.WORK).split(Splitting.shards(3)));
    addPaused(
        job(group, "split-pause-", repeat(Timing.Kind.REPEAT, 2_000), Behaviour.SUCCEED)
            .split(Splitting.shards(2)));
  }

  /** Adds jobs with parts that fail, die or take longer than their run may, and every policy. */
  private void addSplitThatFails(String group) {
    submit(
        job(group, "map-stop-", cron(10), Behaviour.FAIL)
            .retries(2)
            .split(Splitting.map(20).onPartFailure(PartFailurePolicy.STOP)));
    submit(
        job(group, "map-ignore-", repeat(Timing.Kind.FIXED_DELAY, 5_000), Behaviour.FAIL)
            .retries(2)
            .split(Splitting.map(12).onPartFailure(PartFailurePolicy.IGNORE)));
    submit(
        job(group, "split-stop-", cron(10), Behaviour.FAIL)
            .split(Splitting.shards(6).onPartFailure(PartFailurePolicy.STOP))
            .overlap(OverlapPolicy.skip())
            .misfire(MisfirePolicy.latest()));
    submit(
        job(group, "split-ignore-", repeat(Timing.Kind.REPEAT, 7_000), Behaviour.THROW_ALWAYS)
            .retries(1)
            .split(Splitting.shards(3).reducing().onPartFailure(PartFailurePolicy.IGNORE)));
    submit(
        job(group, "split-within-", cron(6), Behaviour.WORK)
            .split(Splitting.shards(5).within(SHORT)));
    submit(
        job(group, "map-within-", repeat(Timing.Kind.FIXED_DELAY, 5_000), Behaviour.THROW_ONCE)
            .split(Splitting.map(10).within(SHORT)));
  }

  /** Adds jobs that only some workers may run, or that one should run. */
  private void addPlaced(String group) {
    submit(job(group, "first-", repeat(Timing.Kind.REPEAT, 1_500), Behaviour.SUCCEED).on(FIRST));
    submit(
        job(group, "odd-skip-", cron(3), Behaviour.WORK)
            .on(ODD)
            .overlap(OverlapPolicy.skip())
            .misfire(MisfirePolicy.latest()));
    submit(
        job(group, "odd-split-", cron(10), Behaviour.THROW_ONCE)
            .on(ODD)
            .split(Splitting.shards(3).reducing()));
    submit(
        job(group, "odd-map-", repeat(Timing.Kind.FIXED_DELAY, 6_000), Behaviour.THROW_ONCE)
            .on(ODD)
            .split(Splitting.map(6)));
    submit(
        job(group, "stick-", repeat(Timing.Kind.REPEAT, 700), Behaviour.SUCCEED)
            .stickTo("stick-" + group));
  }

  /** Adds jobs with a part for each worker. */
  private void addBroadcasts(String group) {
    submit(
        job(group, "all-", cron(2), Behaviour.SUCCEED)
            .split(Splitting.broadcast())
            .priority(PROBE_PRIORITY));
    submit(
        job(group, "all-skip-", cron(3), Behaviour.WORK)
            .split(Splitting.broadcast())
            .overlap(OverlapPolicy.skip())
            .misfire(MisfirePolicy.latest()));
    submit(
        job(group, "all-delay-", repeat(Timing.Kind.FIXED_DELAY, 3_000), Behaviour.CHARGE_ONCE)
            .split(Splitting.broadcast().reducing()));
    submit(
        job(group, "all-dead-", repeat(Timing.Kind.REPEAT, 6_000), Behaviour.THROW_ONCE)
            .split(Splitting.broadcast().onWorkerLost(WorkerLossPolicy.DEAD)));
    submit(
        job(group, "all-odd-", cron(6), Behaviour.THROW_ONCE).on(ODD).split(Splitting.broadcast()));
  }

  private void addPaused(String group) {
    addPaused(job(group, "pause-", repeat(Timing.Kind.REPEAT, 1_000), Behaviour.SUCCEED));
  }

  private void addPaused(LoadJob job) {
    submit(job);
    long at = BEGIN + 4_000L + random.nextInt(6_000);
    while (at + 4_000 < length - LAST_CHANGE_BEFORE_END) {
      steps.add(new PlannedStep(at, Kind.PAUSE, job));
      at += 500 + random.nextInt(3_500);
      steps.add(new PlannedStep(at, Kind.RESUME, job));
      at += 6_000 + random.nextInt(12_000);
    }
  }

  private void addEdited(String group) {
    addEdited(job(group, "edit-", cron(1), Behaviour.SUCCEED));
  }

  private void addEdited(LoadJob job) {
    submit(job);
    long at = BEGIN + 5_000L + random.nextInt(8_000);
    while (at < length - LAST_CHANGE_BEFORE_END) {
      steps.add(new PlannedStep(at, Kind.REPLACE, job));
      at += 10_000 + random.nextInt(15_000);
    }
  }

  /** Adds jobs that fire twenty times and finish, or are cancelled earlier. */
  private void addShort(String group) {
    int number = 0;
    for (long at = 1_000L + random.nextInt(8_000);
        at + 12_000 < length;
        at += plan.interval(10_000)) {
      Timing timing = Timing.counted(begin + at + 2_000, 300, 20);
      LoadJob job = LoadJob.of(group, "short-" + group + "-" + number++, timing, Behaviour.SUCCEED);
      steps.add(new PlannedStep(at, Kind.SUBMIT, job));
      if (random.nextInt(3) == 0) {
        steps.add(new PlannedStep(at + 3_000L + random.nextInt(4_000), Kind.CANCEL, job));
      }
    }
  }

  private void submit(LoadJob job) {
    steps.add(new PlannedStep(random.nextInt(1_000), Kind.SUBMIT, job));
  }

  private static LoadJob job(String group, String name, Timing timing, Behaviour behaviour) {
    return LoadJob.of(group, name + group, timing, behaviour);
  }

  private Timing cron(int seconds) {
    return Timing.cron(begin + BEGIN, begin + length, plan.cronSeconds(seconds));
  }

  private Timing repeat(Timing.Kind kind, long interval) {
    return new Timing(
        kind, begin + BEGIN + random.nextInt(1_000), begin + length, plan.interval(interval));
  }
}
