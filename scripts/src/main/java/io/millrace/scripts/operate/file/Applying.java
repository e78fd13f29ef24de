package io.millrace.scripts.operate.file;

import io.millrace.console.api.job.JobChangeRoutes.CancelledJob;
import io.millrace.console.api.job.JobChangeRoutes.StoredJob;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.NotAllowedException;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiClient;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.api.ConflictException;
import io.millrace.scripts.api.NotFoundException;
import io.millrace.scripts.api.PreconditionFailedException;
import io.millrace.scripts.operate.file.Change.Kind;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Progress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes of a difference, each only if its job is still as it was compared. A job that
 * is refused does not stop the others; a tracker that does not answer does. Used once.
 */
final class Applying {
  private final Operator operator;
  private final AtomicReference<@Nullable RuntimeException> stop = new AtomicReference<>();

  Applying(Operator operator) {
    this.operator = operator;
  }

  /**
   * What became of a change.
   *
   * @param refusal why the tracker did not make it; null if it did, or was not asked
   * @param invalid whether the file has to be changed, so that repeating it is of no use
   */
  private record Outcome(Change change, boolean done, @Nullable String refusal, boolean invalid) {}

  /**
   * Makes the changes and reports them.
   *
   * @throws BadInputException if the tracker refused what is in the file
   * @throws CommandFailedException if a change was not made for another reason
   */
  void make(List<Change> changes) throws InterruptedException {
    List<Outcome> outcomes;
    try (Progress progress = operator.output().progress("apply", changes.size())) {
      outcomes = FewAtATime.send(changes, this::outcome, progress::to);
    }
    List<Outcome> refused = outcomes.stream().filter(one -> one.refusal() != null).toList();
    refused.forEach(
        one -> operator.output().note(Cell.line(one.change().key() + ": " + one.refusal())));
    long untried = outcomes.stream().filter(one -> !one.done() && one.refusal() == null).count();
    operator
        .output()
        .say(
            "applied: %d new, %d changed, %d removed%s%s"
                .formatted(
                    count(outcomes, Kind.NEW),
                    count(outcomes, Kind.CHANGED),
                    count(outcomes, Kind.REMOVED),
                    refused.isEmpty() ? "" : ", " + refused.size() + " refused",
                    untried == 0 ? "" : ", " + untried + " not done"));
    RuntimeException stopped = stop.get();
    if (stopped != null) {
      throw stopped;
    }
    if (!refused.isEmpty()) {
      String said = refused.size() + " of " + changes.size() + " were refused; the others are done";
      throw refused.stream().anyMatch(Outcome::invalid)
          ? new BadInputException(said)
          : new CommandFailedException(said);
    }
  }

  private static long count(List<Outcome> outcomes, Kind kind) {
    return outcomes.stream().filter(one -> one.done() && one.change().kind() == kind).count();
  }

  private Outcome outcome(Change change) throws InterruptedException {
    if (stop.get() != null) {
      return new Outcome(change, false, null, false);
    }
    try {
      ask(change);
      return new Outcome(change, true, null, false);
    } catch (BadInputException e) {
      return new Outcome(change, false, RefusedField.named(words(e)), true);
    } catch (ConflictException e) {
      return new Outcome(change, false, "another job has this key since: " + words(e), false);
    } catch (PreconditionFailedException e) {
      return new Outcome(change, false, "changed since it was compared: " + words(e), false);
    } catch (NotFoundException e) {
      return new Outcome(change, false, "ended since it was compared: " + words(e), false);
    } catch (CommandFailedException | NotAllowedException e) {
      stop.compareAndSet(null, e);
      return new Outcome(change, false, null, false);
    }
  }

  private void ask(Change change) throws InterruptedException {
    ApiClient api = operator.api();
    switch (change.kind()) {
      case NEW -> {
        Answer<StoredJob> unused =
            api.post(ApiPath.of("jobs"), Objects.requireNonNull(change.wanted()), StoredJob.class);
      }
      case CHANGED -> {
        Answer<StoredJob> unused =
            api.putIfMatch(
                change.key().path(),
                tag(change),
                Objects.requireNonNull(change.wanted()),
                StoredJob.class);
      }
      case REMOVED -> {
        Answer<CancelledJob> unused =
            api.postIfMatch(change.key().path("cancel"), tag(change), CancelledJob.class);
      }
      case SAME, LEFT_ALONE -> {}
    }
  }

  private static String tag(Change change) {
    return Objects.requireNonNull(change.tag());
  }

  private static String words(RuntimeException e) {
    return String.valueOf(e.getMessage());
  }
}
