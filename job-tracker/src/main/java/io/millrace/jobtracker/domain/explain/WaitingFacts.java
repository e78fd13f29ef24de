package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.jobtracker.domain.trigger.LedgerRow;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What waits: until it is due, for another attempt, for its turn, or for a worker. What a schedule
 * has planned for later is left to {@link NextFireFacts}.
 */
final class WaitingFacts {
  private static final int SHOWN = 3;

  private final Findings found;
  private final DueReason dueReason;
  private final HeldFacts held;

  WaitingFacts(Findings found, Timing timing) {
    this.found = found;
    this.dueReason = new DueReason(found, timing);
    this.held = new HeldFacts(found);
  }

  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    List<WaitingTrigger> due = new ArrayList<>();
    for (WaitingTrigger row : found.waiting()) {
      if (row.isHeld()) {
        continue;
      }
      if (row.dueAt() <= found.now()) {
        due.add(row);
      } else if (isToBeTold(row)) {
        facts.add(cameBack(row).orElseGet(() -> waits(row)));
      }
    }
    facts.addAll(due(due));
    facts.addAll(held.write());
    return facts;
  }

  private static boolean isToBeTold(WaitingTrigger row) {
    return !row.isOfRecurringJob()
        || row.key().isExtra()
        || row.begun()
        || row.attempt() > 1
        || row.dueAt() != row.plannedFor();
  }

  private Fact waits(WaitingTrigger row) {
    return fact(
        FactKind.WAITING,
        row,
        Words.trigger(row.key(), row.plannedFor())
            + " waits until "
            + Words.atIn(row.dueAt(), found.now())
            + ".");
  }

  private static @Nullable Long replayOf(WaitingTrigger row) {
    if (row.submission() != null) {
      return row.submission().replayOf();
    }
    return row.spec() == null ? null : row.spec().replayOf();
  }

  private List<Fact> due(List<WaitingTrigger> due) {
    List<Fact> facts = new ArrayList<>();
    for (WaitingTrigger row : due.subList(0, Math.min(SHOWN, due.size()))) {
      cameBack(row).ifPresent(facts::add);
      facts.add(fact(FactKind.DUE, row, dueReason.of(row) + DeadWords.origin(replayOf(row))));
    }
    if (due.size() > SHOWN) {
      boolean isCut = found.waiting().size() == Findings.MAX_WAITING;
      WaitingTrigger last = due.get(due.size() - 1);
      facts.add(
          fact(
              FactKind.DUE,
              last,
              (isCut ? "At least " : "")
                  + Words.count(due.size() - SHOWN, "more trigger", "more triggers")
                  + " of it "
                  + (due.size() - SHOWN == 1 ? "is" : "are")
                  + " due, up to "
                  + Words.ofTrigger(last.key(), last.plannedFor())
                  + ", and not drawn for the same reason."));
    }
    return facts;
  }

  /** Why a trigger that was drawn before waits again. */
  private Optional<Fact> cameBack(WaitingTrigger row) {
    return found.lastAttempt(row.key()).map(attempt -> cameBack(row, attempt));
  }

  private Fact cameBack(WaitingTrigger row, LedgerRow attempt) {
    String begin = begin(row);
    String when = Words.at(attempt.finishedAt());
    String worker = attempt.workerId() == null ? "" : " on worker " + attempt.workerId();
    String said = Words.quoted(attempt.message());
    String tail = said.isEmpty() ? "." : ": " + said;
    return switch (attempt.status()) {
      case RETRIED ->
          fact(
              FactKind.RETRY,
              row,
              retry(row)
                  + begin
                  + "attempt "
                  + attempt.attempt()
                  + " threw at "
                  + when
                  + worker
                  + tail);
      case RESCUED ->
          fact(
              FactKind.RETRY,
              row,
              retry(row)
                  + begin
                  + "attempt "
                  + attempt.attempt()
                  + worker
                  + " was given up at "
                  + when
                  + ", because the worker's lease had run out.");
      case POSTPONED ->
          fact(
              FactKind.WAITING,
              row,
              Words.trigger(row.key(), row.plannedFor())
                  + " was postponed by the job itself at "
                  + when
                  + worker
                  + begin
                  + "the attempt does not count"
                  + tail);
      default ->
          fact(
              FactKind.WAITING,
              row,
              Words.trigger(row.key(), row.plannedFor())
                  + " came back at "
                  + when
                  + " from"
                  + worker.replace(" on", "")
                  + begin
                  + "the attempt does not count"
                  + (attempt.cause() == null ? "." : ": " + attempt.cause() + "."));
    };
  }

  private String begin(WaitingTrigger row) {
    return row.dueAt() > found.now()
        ? ", and waits until " + Words.atIn(row.dueAt(), found.now()) + ": "
        : ", and is due since " + Words.since(row.dueAt(), found.now()) + ": ";
  }

  private String retry(WaitingTrigger row) {
    int retry = Math.max(1, row.attempt() - 1);
    int most = found.specOf(row).map(spec -> spec.retry().maxRetries()).orElse(retry);
    return Words.trigger(row.key(), row.plannedFor())
        + " goes on with retry "
        + retry
        + " of "
        + Math.max(retry, most);
  }

  private static Fact fact(FactKind kind, WaitingTrigger row, String text) {
    return new Fact(kind, Instant.ofEpochMilli(row.dueAt()), text);
  }
}
