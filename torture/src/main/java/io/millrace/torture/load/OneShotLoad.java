package io.millrace.torture.load;

import io.millrace.api.PartFailurePolicy;
import io.millrace.torture.load.Step.Kind;
import io.millrace.torture.load.Workload.PlannedStep;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Jobs that run once: some immediately, some later, a few cancelled or replaced before they run. A
 * few die and are replayed, some are split into parts, and some task ids are used again by a later
 * job.
 */
final class OneShotLoad {
  private static final int PER_SECOND = 8;
  private static final int FURTHEST_AHEAD_MILLIS = 12_000;

  /**
   * How long before its instant a job is changed; long enough that the change usually comes first.
   */
  private static final int CHANGED_BEFORE_MILLIS = 1_500;

  /** Of so many jobs, one has a task id that is used again, and one dies. */
  private static final int ONE_IN = 16;

  /** When a task id is used again: usually, the job before and its replay have ended. */
  private static final int AGAIN_AFTER_MILLIS = 10_000;

  /**
   * Before what has piled up, so that the first has ended when its task id is used again, and parts
   * run when their run is cancelled.
   */
  private static final int AGAIN_PRIORITY = 10;

  private final LoadPlan plan;
  private final SplittableRandom random;
  private final long end;
  private final int count;
  private final long begin;

  OneShotLoad(LoadPlan plan, long begin) {
    this.plan = plan;
    this.random = new SplittableRandom(plan.seed() * 31 + 1);
    this.end = plan.millis();
    this.count = plan.share(plan.seconds() * PER_SECOND);
    this.begin = begin;
  }

  List<PlannedStep> steps() {
    List<PlannedStep> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = plan.interval(1_000L * i) / PER_SECOND + random.nextInt(1_000 / PER_SECOND);
      if (i % ONE_IN == 0) {
        addTwice(i, at, steps);
      } else if (i % ONE_IN == 1) {
        addDying(i, at, steps);
      } else if (i % ONE_IN == 2) {
        addSplit(i, at, steps);
      } else {
        add(i, at, steps);
      }
    }
    return steps;
  }

  /** Adds a job that runs a step, and a later one of the same task id; every other pair dies. */
  private void addTwice(int number, long at, List<PlannedStep> steps) {
    Timing timing = Timing.now(begin + at);
    String name = "again-" + number;
    LoadJob either =
        number / ONE_IN % 2 == 0
            ? LoadJob.of(anyGroup(), name, timing, Behaviour.CHARGE_ONCE)
            : LoadJob.dying(anyGroup(), name, timing);
    LoadJob job = either.priority(AGAIN_PRIORITY);
    steps.add(new PlannedStep(at, Kind.SUBMIT, job));
    long again = at + AGAIN_AFTER_MILLIS + random.nextInt(AGAIN_AFTER_MILLIS);
    if (again < end) {
      steps.add(new PlannedStep(again, Kind.SUBMIT, job));
    }
  }

  /**
   * Adds a job that dies. It is not changed: a trigger that is cancelled while it executes may
   * still die, and its replay would run after the cancel.
   */
  private void addDying(int number, long at, List<PlannedStep> steps) {
    Timing timing = Timing.at(begin + Math.min(at + random.nextInt(FURTHEST_AHEAD_MILLIS), end));
    steps.add(new PlannedStep(at, Kind.SUBMIT, LoadJob.dying(anyGroup(), "one-" + number, timing)));
  }

  /**
   * Adds a job that is split into parts, every fourth into more than are released at once. Some are
   * cancelled when parts of them run.
   */
  private void addSplit(int number, long at, List<PlannedStep> steps) {
    boolean isLarge = number / ONE_IN % 4 == 0;
    boolean isCancelled = random.nextInt(3) == 0;
    Behaviour behaviour =
        isCancelled
            ? Behaviour.CHARGE_ONCE
            : switch (isLarge ? 0 : random.nextInt(4)) {
              case 1 -> Behaviour.FAIL;
              case 2 -> Behaviour.WORK;
              case 3 -> Behaviour.THROW_ONCE;
              default -> Behaviour.SUCCEED;
            };
    LoadJob job =
        LoadJob.of(anyGroup(), "one-split-" + number, Timing.now(begin + at), behaviour)
            .split(Splitting.shards(isLarge ? 300 : 1 + random.nextInt(12)).reducing());
    if (random.nextBoolean()) {
      job =
          job.behaving(mapping(behaviour))
              .split(Splitting.map(isLarge ? 400 : 1 + random.nextInt(12)));
    }
    if (!isLarge && random.nextInt(4) == 0) {
      job = job.behaving(behaviour).split(Splitting.broadcast());
    }
    if (job.behaviour() == Behaviour.FAIL) {
      job = job.retries(2).split(job.splitting().onPartFailure(anyPolicy()));
    }
    if (isCancelled) {
      job = job.priority(AGAIN_PRIORITY);
    }
    steps.add(new PlannedStep(at, Kind.SUBMIT, job));
    if (isCancelled) {
      steps.add(new PlannedStep(at + random.nextInt(1_500), Kind.CANCEL, job));
    }
  }

  private PartFailurePolicy anyPolicy() {
    return switch (random.nextInt(3)) {
      case 0 -> PartFailurePolicy.FINISH;
      case 1 -> PartFailurePolicy.STOP;
      default -> PartFailurePolicy.IGNORE;
    };
  }

  /** A handler that makes parts does nothing else but throw once. */
  private static Behaviour mapping(Behaviour behaviour) {
    return behaviour == Behaviour.FAIL || behaviour == Behaviour.SUCCEED
        ? behaviour
        : Behaviour.THROW_ONCE;
  }

  private String anyGroup() {
    return Workload.GROUPS.get(random.nextInt(Workload.GROUPS.size()));
  }

  private void add(int number, long at, List<PlannedStep> steps) {
    String group = anyGroup();
    long ahead = random.nextInt(10) < 6 ? 0 : 1 + random.nextInt(FURTHEST_AHEAD_MILLIS);
    long due = Math.min(at + ahead, end);
    Timing timing = ahead == 0 ? Timing.now(begin + at) : Timing.at(begin + due);
    LoadJob job = placed(behaving(LoadJob.of(group, "one-" + number, timing, Behaviour.SUCCEED)));
    steps.add(new PlannedStep(at, Kind.SUBMIT, job));
    long change = due - CHANGED_BEFORE_MILLIS;
    if (change > at) {
      int what = random.nextInt(10);
      if (what == 0) {
        steps.add(new PlannedStep(change, Kind.CANCEL, job));
      } else if (what == 1) {
        steps.add(new PlannedStep(change, Kind.REPLACE, job));
      }
    }
  }

  private LoadJob placed(LoadJob job) {
    return switch (random.nextInt(12)) {
      case 0 -> job.on(Workload.ODD);
      case 1 -> job.stickTo("key-" + random.nextInt(4));
      default -> job;
    };
  }

  private LoadJob behaving(LoadJob job) {
    int draw = random.nextInt(100);
    if (draw < 5) {
      return job.retries(0);
    }
    if (draw < 8) {
      return job.behaving(Behaviour.WORK).retries(0);
    }
    if (draw < 10) {
      return job.behaving(Behaviour.THROW_ALWAYS).retries(2);
    }
    return job.behaving(
        draw < 12
            ? Behaviour.FAIL
            : draw < 18
                ? Behaviour.LATER_ONCE
                : draw < 25
                    ? Behaviour.THROW_ONCE
                    : draw < 26
                        ? Behaviour.WORK_LONG
                        : draw < 35
                            ? Behaviour.WORK
                            : draw < 45 ? Behaviour.CHARGE_ONCE : Behaviour.SUCCEED);
  }
}
