package io.millrace.torture.load;

import io.millrace.api.Disposition;
import io.millrace.api.Outcome;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.PartResult;
import io.millrace.tasktracker.Result;
import io.millrace.torture.journal.RunJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs every job of the load and records the begin and the end of each invocation. */
final class LoadRunner implements JobRunner {
  private static final String CHARGE = "charge";
  private static final int PARTS_AT_ONCE = 5;

  /** What is returned is less, so that sums of many are exact; a prime. */
  private static final long VALUES = 1_000_003;

  private final RunJournal journal;

  LoadRunner(RunJournal journal) {
    this.journal = journal;
  }

  @Override
  public Result run(JobContext context) throws Exception {
    journal.began(context);
    Outcome outcome = Outcome.EXCEPTION;
    try {
      Behaviour behaviour = behaviourOf(context);
      String maps = context.param(LoadJob.MAPS);
      if (maps != null) {
        map(context, behaviour, Integer.parseInt(maps) + context.attempt());
        if (behaviour == Behaviour.FAIL) {
          outcome = Outcome.SUCCESS;
          return Result.success();
        }
      }
      if (behaviour.charges()) {
        charge(context);
        workAndLeaveMark(context);
      }
      Result result = behaviour.run(context);
      outcome = result.outcome();
      boolean returns = outcome == Outcome.SUCCESS && maps == null;
      return returns ? Result.of(valueOf(context.executionId())) : result;
    } catch (InterruptedException e) {
      outcome = Outcome.INTERRUPTED;
      throw e;
    } finally {
      journal.ended(context, outcome);
    }
  }

  /** Returns what an invocation returns that succeeds and makes no parts: it differs by attempt. */
  static long valueOf(long executionId) {
    return executionId % VALUES;
  }

  /** Makes parts, in several requests, other ones in each attempt. */
  private static void map(JobContext context, Behaviour behaviour, int parts) {
    boolean isPart = context.part() > 0;
    for (int first = 1; first <= parts; first += PARTS_AT_ONCE) {
      List<Map<String, String>> some = new ArrayList<>();
      for (int number = first; number < first + PARTS_AT_ONCE && number <= parts; number++) {
        some.add(MapPart.of(behaviour, number, isPart).params());
      }
      context.map(some);
    }
  }

  /** Runs the reduce of a run: adds up what the parts returned, and returns that. */
  Result reduce(JobContext context) throws InterruptedException {
    journal.began(context);
    Outcome outcome = Outcome.EXCEPTION;
    try {
      Result result = sum(context);
      outcome = result.outcome();
      return result;
    } finally {
      journal.ended(context, outcome);
    }
  }

  private Result sum(JobContext context) {
    int count = 0;
    int failed = 0;
    long sum = 0;
    for (PartResult part : context.parts()) {
      if (part.number() != ++count) {
        return Result.failed("part " + part.number() + " was found in place of " + count);
      }
      failed += part.disposition() == Disposition.SUCCEEDED ? 0 : 1;
      sum += part.result(Long.class).orElse(0L);
    }
    journal.reduced(context, count, failed, sum);
    return Result.of(sum);
  }

  /** The journal is what is charged: it has a line for each run of the body. */
  private void charge(JobContext context) throws Exception {
    boolean[] ran = new boolean[1];
    context.step(
        CHARGE,
        () -> {
          journal.charged(context, context.stepKey(CHARGE));
          ran[0] = true;
        });
    if (ran[0]) {
      journal.stored(context);
    }
  }

  /**
   * The checkpoint names its execution, so that the journal tells who found whose. An invocation
   * that is interrupted makes it too, also if it is a zombie.
   */
  private void workAndLeaveMark(JobContext context) throws InterruptedException {
    context.checkpoint(Long.class).ifPresent(found -> journal.found(context, found));
    try {
      Result unused = Behaviour.work(context);
    } finally {
      journal.checkpoint(context);
      context.checkpoint(context.executionId());
    }
  }

  private static Behaviour behaviourOf(JobContext context) {
    return Behaviour.valueOf(Objects.requireNonNull(context.param(LoadJob.BEHAVIOUR)));
  }
}
