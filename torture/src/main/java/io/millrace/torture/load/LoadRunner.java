package io.millrace.torture.load;

import io.millrace.api.Outcome;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import io.millrace.torture.journal.RunJournal;
import java.util.Objects;

/** Runs every job of the load and records the begin and the end of each invocation. */
final class LoadRunner implements JobRunner {
  private static final String CHARGE = "charge";

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
