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
  private static final int NESTS = 5;
  private static final int FAILS = 7;

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
      return result;
    } catch (InterruptedException e) {
      outcome = Outcome.INTERRUPTED;
      throw e;
    } finally {
      journal.ended(context, outcome);
    }
  }

  /**
   * Makes parts, in several requests, other ones in each attempt. Every fifth part makes parts
   * itself; of a job that fails, every seventh fails.
   */
  private static void map(JobContext context, Behaviour behaviour, int parts) {
    boolean isPart = context.part() > 0;
    for (int first = 1; first <= parts; first += PARTS_AT_ONCE) {
      List<Map<String, String>> some = new ArrayList<>();
      for (int number = first; number < first + PARTS_AT_ONCE && number <= parts; number++) {
        some.add(part(number, behaviour, isPart));
      }
      context.map(some);
    }
  }

  private static Map<String, String> part(int number, Behaviour behaviour, boolean isNested) {
    if (behaviour == Behaviour.FAIL && number % FAILS == 0) {
      return Map.of(LoadJob.BEHAVIOUR, Behaviour.FAIL.name());
    }
    if (number % NESTS == 0 && !isNested) {
      return Map.of(
          LoadJob.BEHAVIOUR, Behaviour.THROW_ONCE.name(), LoadJob.MAPS, String.valueOf(number % 4));
    }
    return Map.of(
        LoadJob.BEHAVIOUR, (number % 4 == 1 ? Behaviour.THROW_ONCE : Behaviour.SUCCEED).name());
  }

  /** Runs the reduce of a run: what the parts returned must be their numbers. */
  Result reduce(JobContext context) throws InterruptedException {
    journal.began(context);
    Outcome outcome = Outcome.EXCEPTION;
    try {
      Result result = Result.success();
      int expected = 1;
      for (PartResult part : context.parts()) {
        if (part.number() != expected++ || part.disposition() != Disposition.SUCCEEDED) {
          result = Result.failed("part " + part.number() + " was " + part.disposition());
        }
      }
      outcome = result.outcome();
      return result;
    } finally {
      journal.ended(context, outcome);
    }
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
