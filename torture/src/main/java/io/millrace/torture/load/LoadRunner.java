package io.millrace.torture.load;

import io.millrace.api.Outcome;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import io.millrace.torture.journal.RunJournal;
import java.util.Objects;

/** Runs every job of the load and records the begin and the end of each invocation. */
final class LoadRunner implements JobRunner {
  private final RunJournal journal;

  LoadRunner(RunJournal journal) {
    this.journal = journal;
  }

  @Override
  public Result run(JobContext context) throws InterruptedException {
    journal.began(context);
    Outcome outcome = Outcome.EXCEPTION;
    try {
      Result result = behaviourOf(context).run(context);
      outcome = result.outcome();
      return result;
    } catch (InterruptedException e) {
      outcome = Outcome.INTERRUPTED;
      throw e;
    } finally {
      journal.ended(context, outcome);
    }
  }

  private static Behaviour behaviourOf(JobContext context) {
    return Behaviour.valueOf(Objects.requireNonNull(context.param(LoadJob.BEHAVIOUR)));
  }
}
