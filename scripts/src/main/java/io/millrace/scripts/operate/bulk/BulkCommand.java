package io.millrace.scripts.operate.bulk;

import io.millrace.console.api.bulk.BulkChangeSummary;
import io.millrace.console.api.bulk.BulkFilter;
import io.millrace.console.api.bulk.BulkRoutes.NewBulkChange;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.option.ParamOption;
import io.millrace.scripts.output.Progress;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace bulk}: changes all that matches, in the background. */
@Command(
    name = "bulk",
    sortOptions = false,
    description = {
      "Changes all that match the options, and nothing that comes later. The tracker does it:"
          + " the command returns when it has taken the request, or with --until-done when all is done.",
      "See bulks for how far it is, and bulk-stop to stop it."
    })
public final class BulkCommand implements Callable<Integer> {
  private static final long LOOK_AGAIN_MILLIS = 500;

  /** The actions, as users write them. */
  private enum Change {
    PAUSE(Action.PAUSE_JOBS),
    RESUME(Action.RESUME_JOBS),
    CANCEL(Action.CANCEL_JOBS),
    CANCEL_ONE_SHOTS(Action.CANCEL_ONE_SHOTS),
    TERMINATE(Action.TERMINATE_EXECUTIONS),
    REPLAY(Action.REPLAY_DEAD),
    DISCARD(Action.DISCARD_DEAD);

    private final Action action;

    Change(Action action) {
      this.action = action;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Parameters(
      index = "0",
      paramLabel = "CHANGE",
      description = {
        "Of recurring jobs: pause, resume or cancel. Of one-shots that wait: cancel-one-shots."
            + " Of executions: terminate. Of open dead triggers: replay or discard."
      })
  private Change change = Change.PAUSE;

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description = "Only those of this node group; required for cancel-one-shots.")
  private @Nullable String nodeGroup;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "Only those whose task id begins with this; not for terminate.")
  private @Nullable String prefix;

  @Option(
      names = "--contains",
      paramLabel = "TEXT",
      description = "Only recurring jobs whose task id contains this, in any case.")
  private @Nullable String contains;

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      description = "Only recurring jobs, or one-shots, with this handler.")
  private @Nullable String handler;

  @Option(
      names = "--owner",
      paramLabel = "NAME",
      description = "Only recurring jobs that this owner declares.")
  private @Nullable String owner;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only recurring jobs in this state: ACTIVE or PAUSED.")
  private @Nullable JobState state;

  @Option(
      names = "--task",
      paramLabel = "TASKID",
      description = "Only executions of this task id; needs --node-group.")
  private @Nullable String task;

  @Option(names = "--worker", paramLabel = "ID", description = "Only executions of this worker.")
  private @Nullable String worker;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description =
          "Only dead triggers that died at this instant or later. ISO-8601 with Z or an offset.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "INSTANT",
      description = "Only dead triggers that died before this instant.")
  private @Nullable Instant to;

  @Option(
      names = "--everything",
      description = "Confirms that no option selects any: all are changed.")
  private boolean everything;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why they are paused.")
  private @Nullable String reason;

  @Mixin private ParamOption params = new ParamOption();

  @Option(
      names = "--keep-succeeded",
      description = "Replay only the parts of runs that have not succeeded. Not with --param.")
  private boolean keepSucceeded;

  @Option(
      names = "--until-done",
      description = "Return when it has ended. Fails if it was stopped, or if one failed.")
  private boolean isAwaited;

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    BulkFilter filter =
        new BulkFilter(nodeGroup, prefix, contains, handler, owner, state, task, worker, from, to);
    NewBulkChange wanted =
        new NewBulkChange(
            change.action,
            filter,
            everything ? true : null,
            reason,
            params.given(),
            keepSucceeded ? true : null);
    Answer<BulkChangeSummary> answer =
        operator.api().post(ApiPath.of("bulk-changes"), wanted, BulkChangeSummary.class);
    if (isAwaited) {
      answer = ended(operator, answer);
    }
    operator.output().show(answer, BulksCommand::print);
    if (isAwaited) {
      requireDone(answer.value());
    }
    return ExitCode.OK;
  }

  private static Answer<BulkChangeSummary> ended(Operator operator, Answer<BulkChangeSummary> begun)
      throws InterruptedException {
    Answer<BulkChangeSummary> seen = begun;
    ApiPath path = ApiPath.of("bulk-changes", begun.value().id());
    try (Progress progress = operator.output().progress("bulk change", -1)) {
      while (seen.value().endedAt() == null) {
        TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        seen = operator.api().get(path, BulkChangeSummary.class);
        if (seen.value().total() != null) {
          progress.of(seen.value().total());
        }
        progress.to(seen.value().done());
      }
    }
    return seen;
  }

  private static void requireDone(BulkChangeSummary ended) {
    if (ended.state() != BulkChangeSummary.Condition.DONE) {
      throw new CommandFailedException(
          "bulk change %s ended as %s: %s".formatted(ended.id(), ended.state(), ended.endReason()));
    }
    if (ended.failed() > 0) {
      throw new CommandFailedException(
          "bulk change " + ended.id() + ": " + ended.failed() + " failed");
    }
  }
}
