package io.millrace.scripts.operate.dead;

import io.millrace.console.api.dead.ReplayRoutes.ReplayAnswer;
import io.millrace.console.api.dead.ReplayRoutes.ReplayManyAnswer;
import io.millrace.console.api.dead.ReplayRoutes.ReplayManyWish;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.DeadOptions;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Progress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Performs the replays of one command, in as many requests as needed. Used once, by one thread. */
final class Replays {
  /** The maximum number of ids in one request. */
  private static final int AT_ONCE = 500;

  /**
   * The number of triggers per request if all are replayed; small enough for the progress bar to
   * move.
   */
  private static final int AT_ONCE_OF_ALL = 100;

  private final Operator operator;
  private final @Nullable Map<String, String> params;
  private final @Nullable Boolean keepSucceeded;
  private final List<String> lines = new ArrayList<>();
  private long done;
  private long refused;

  /**
   * @param params replace the original parameters; null keeps them
   * @param keepSucceeded whether runs that were split run without the parts that succeeded
   */
  Replays(Operator operator, @Nullable Map<String, String> params, boolean keepSucceeded) {
    this.operator = operator;
    this.params = params;
    this.keepSucceeded = keepSucceeded ? true : null;
  }

  /** Replays the triggers with these ids and reports the result of each. */
  void of(List<String> ids) throws InterruptedException {
    Set<String> left = new LinkedHashSet<>(ids);
    int wanted = left.size();
    try (Progress progress = operator.output().progress("replay", wanted)) {
      while (!left.isEmpty()) {
        List<String> some = left.stream().limit(AT_ONCE).toList();
        ReplayManyAnswer answer =
            ask(
                new ReplayManyWish(
                    some, null, null, null, null, null, null, params, keepSucceeded));
        if (answer.items().isEmpty()) {
          throw new CommandFailedException(left.size() + " were not tried");
        }
        answer.items().forEach(item -> left.remove(item.id()));
        answer.items().forEach(this::say);
        progress.to(wanted - left.size());
      }
    }
    report();
  }

  /** Replays every selected open trigger and reports those that could not be replayed. */
  void ofAll(DeadOptions which) throws InterruptedException {
    String next = null;
    try (Progress progress = operator.output().progress("replay", -1)) {
      do {
        ReplayManyAnswer answer =
            ask(
                new ReplayManyWish(
                    null,
                    which.nodeGroup(),
                    which.prefix(),
                    which.from(),
                    which.to(),
                    next,
                    AT_ONCE_OF_ALL,
                    params,
                    keepSucceeded));
        answer.items().stream().filter(item -> !isReplayed(item)).forEach(this::say);
        progress.of(done + refused + answer.left());
        progress.to(done + refused);
        next = answer.next();
      } while (next != null);
    }
    report();
  }

  private ReplayManyAnswer ask(ReplayManyWish wish) throws InterruptedException {
    Answer<ReplayManyAnswer> answer =
        operator.api().post(ApiPath.of("dead", "replay"), wish, ReplayManyAnswer.class);
    if (operator.output().isJson()) {
      operator.output().show(answer, (unused, out) -> {});
    }
    long replayed = answer.value().items().stream().filter(Replays::isReplayed).count();
    done += replayed;
    refused += answer.value().items().size() - replayed;
    return answer.value();
  }

  private static boolean isReplayed(ReplayAnswer item) {
    return item.status() == Status.REPLAYED;
  }

  private void say(ReplayAnswer item) {
    lines.add(
        item.status()
            + " "
            + item.id()
            + (item.replayId() == null ? "" : " as " + item.replayId())
            + ": "
            + Cell.line(item.message()));
  }

  /**
   * Prints the results after the progress bar is removed, so that it does not mix with the lines.
   */
  private void report() {
    lines.forEach(operator.output()::say);
    if (refused > 0) {
      throw new CommandFailedException("replayed " + done + ", not replayed " + refused);
    }
    operator.output().say("replayed " + done);
  }
}
