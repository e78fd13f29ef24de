package io.millrace.torture.load;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.time.Clock;
import io.millrace.jobclient.JobCallException;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobSubmitException;
import io.millrace.jobclient.SavedJobOutcome;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.SubmitJournal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Executes the steps of one client at their times, repeats each until a result arrives, and records
 * requests and results. Steps of one job run in sequence. A step without a result is repeated as a
 * new submission: the job may then be stored twice and run once for each, which the oracle allows.
 */
public final class LoadClient {
  private static final long REST_MILLIS = 200;

  private final JobClient client;
  private final SubmitJournal journal;
  private final Clock clock;
  private final Executor executor;

  /**
   * @param executor needs a thread for each step that may wait for its result at the same time
   */
  public LoadClient(JobClient client, SubmitJournal journal, Clock clock, Executor executor) {
    this.client = client;
    this.journal = journal;
    this.clock = clock;
    this.executor = executor;
  }

  /**
   * Executes the steps and returns when all of them have a result.
   *
   * @param begin the origin of the step times, in epoch milliseconds
   * @param settled the steps that the journals of earlier starts record as completed
   */
  public void run(List<Step> steps, long begin, Set<Integer> settled) throws InterruptedException {
    Map<String, CompletableFuture<Void>> lastOfJobs = new HashMap<>();
    for (Step step : steps) {
      if (!settled.contains(step.number())) {
        waitUntil(begin + step.at().toMillis());
        lastOfJobs.compute(
            step.job().key(),
            (key, last) ->
                last == null
                    ? CompletableFuture.runAsync(() -> insist(step), executor)
                    : last.thenRunAsync(() -> insist(step), executor));
      }
    }
    CompletableFuture.allOf(lastOfJobs.values().toArray(CompletableFuture[]::new)).join();
  }

  /** Records the result of a saved request. */
  public void delivered(SavedJobOutcome delivered) {
    Answer answer = Answer.FAILED;
    if (delivered.submitted() != null) {
      answer = answerOf(delivered.submitted());
    } else if (delivered.cancelled() != null) {
      answer = answerOf(delivered.cancelled());
    }
    journal.delivered(
        delivered.nodeGroup() + "/" + delivered.taskId(), answer, delivered.toString());
  }

  private void waitUntil(long at) throws InterruptedException {
    for (long left = at - clock.millis(); left > 0; left = at - clock.millis()) {
      Thread.sleep(left);
    }
  }

  /** Repeats the request until a result arrives. */
  private void insist(Step step) {
    try {
      while (!ask(step).isFinal()) {
        Thread.sleep(REST_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Answer ask(Step step) {
    journal.asked(step.number());
    Outcome outcome = send(step);
    journal.answered(step.number(), outcome.answer(), outcome.words());
    return outcome.answer();
  }

  private record Outcome(Answer answer, String words) {}

  private Outcome send(Step step) {
    String group = step.job().nodeGroup();
    String taskId = step.job().taskId();
    try {
      return switch (step.kind()) {
        case SUBMIT -> outcomeOf(client.trySubmit(step.job().toJob(false)));
        case REPLACE -> outcomeOf(client.trySubmit(step.job().toJob(true)));
        case CANCEL -> outcomeOf(client.cancel(group, taskId));
        case PAUSE -> outcomeOf(client.pause(group, taskId, "step " + step.number()));
        case RESUME -> outcomeOf(client.resume(group, taskId));
      };
    } catch (JobSubmitException e) {
      return new Outcome(e.isOutcomeUnknown() ? Answer.UNKNOWN : Answer.FAILED, e.toString());
    } catch (JobCallException e) {
      return new Outcome(e.isOutcomeUnknown() ? Answer.UNKNOWN : Answer.FAILED, e.toString());
    }
  }

  private static Outcome outcomeOf(SubmitResult result) {
    return new Outcome(answerOf(result), result.toString());
  }

  private static Answer answerOf(SubmitResult result) {
    return switch (result.status()) {
      case ACCEPTED -> Answer.ACCEPTED;
      case REPLACED -> Answer.REPLACED;
      case DUPLICATE -> Answer.DUPLICATE;
      case REJECTED -> result.reason() == RejectReason.UNAVAILABLE ? Answer.FAILED : Answer.REFUSED;
      case SAVED_LOCALLY -> Answer.SAVED_LOCALLY;
      case UNKNOWN -> Answer.UNKNOWN;
    };
  }

  private static Outcome outcomeOf(CancelResult result) {
    return new Outcome(answerOf(result), result.toString());
  }

  private static Answer answerOf(CancelResult result) {
    return result.savedLocally()
        ? Answer.SAVED_LOCALLY
        : result.found() ? Answer.DONE : Answer.REFUSED;
  }

  private static Outcome outcomeOf(ChangeResult result) {
    return new Outcome(result.isDone() ? Answer.DONE : Answer.REFUSED, result.toString());
  }
}
