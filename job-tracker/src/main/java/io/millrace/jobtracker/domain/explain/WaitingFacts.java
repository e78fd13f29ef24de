package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts about triggers that wait: until they are due, for another attempt, or for a worker.
 * {@link HeldFacts} describes those that wait for their turn, and {@link NextFireFacts} what a
 * schedule has planned for later.
 */
record WaitingFacts(TaskSnapshot found, Timing timing, FactPhrases phrases) {
  private static final int SHOWN = 3;

  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    List<WaitingTrigger> due = new ArrayList<>();
    for (WaitingTrigger row : found.waiting()) {
      if (row.isHeld()) {
        continue;
      }
      if (row.dueAt() <= found.now()) {
        due.add(row);
      } else if (isReported(row)) {
        facts.add(cameBack(row).orElseGet(() -> waits(row)));
        kept(row).ifPresent(facts::add);
      }
    }
    facts.addAll(due(due));
    return facts;
  }

  private static boolean isReported(WaitingTrigger row) {
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
        phrases.say(
            "waiting",
            phrases.trigger(row.key(), row.plannedFor()),
            phrases.atIn(row.dueAt(), found.now())));
  }

  private static @Nullable Long replayOf(WaitingTrigger row) {
    if (row.submission() != null) {
      return row.submission().replayOf();
    }
    return row.spec() == null ? null : row.spec().replayOf();
  }

  private List<Fact> due(List<WaitingTrigger> due) {
    List<Fact> facts = new ArrayList<>();
    DueReason reason = new DueReason(found, timing, phrases);
    for (WaitingTrigger row : due.subList(0, Math.min(SHOWN, due.size()))) {
      cameBack(row).ifPresent(facts::add);
      kept(row).ifPresent(facts::add);
      facts.add(
          fact(
              FactKind.DUE, row, phrases.sentences(reason.of(row), phrases.origin(replayOf(row)))));
    }
    int more = due.size() - SHOWN;
    if (more > 0) {
      boolean isCut = found.waiting().size() == TaskSnapshot.MAX_WAITING;
      WaitingTrigger last = due.get(due.size() - 1);
      facts.add(
          fact(
              FactKind.DUE,
              last,
              phrases.sayFor(
                  more,
                  isCut ? "due.more.cut" : "due.more",
                  Words.grouped(more),
                  phrases.ofTrigger(last.key(), last.plannedFor()))));
    }
    return facts;
  }

  /** Why a trigger that was claimed before waits again. */
  private Optional<Fact> cameBack(WaitingTrigger row) {
    return found.lastAttempt(row.key()).map(attempt -> cameBack(row, attempt));
  }

  /** What the next attempt finds done. */
  private Optional<Fact> kept(WaitingTrigger row) {
    return Optional.of(new KeptPhrases(found, phrases).of(row.id()))
        .filter(text -> !text.isEmpty())
        .map(text -> fact(FactKind.RETRY, row, text));
  }

  private Fact cameBack(WaitingTrigger row, LedgerEntry attempt) {
    String trigger = phrases.trigger(row.key(), row.plannedFor());
    String when = phrases.at(attempt.times().finishedAt());
    String where = phrases.where(attempt.workerId());
    String said = Words.quoted(attempt.message());
    String tail = said.isEmpty() ? phrases.say("tail.none") : phrases.say("tail.said", said);
    return switch (attempt.status()) {
      case RETRIED ->
          fact(
              FactKind.RETRY,
              row,
              waits(
                  row,
                  retry(row, trigger),
                  phrases.say("back.threw", attempt.attempt(), when, where, tail)));
      case RESCUED ->
          fact(
              FactKind.RETRY,
              row,
              waits(
                  row,
                  retry(row, trigger),
                  phrases.say("back.rescued", attempt.attempt(), where, when)));
      case POSTPONED ->
          fact(
              FactKind.WAITING,
              row,
              waits(
                  row,
                  phrases.say("back.postponed", trigger, when, where),
                  phrases.say("back.not-counted", tail)));
      default ->
          fact(
              FactKind.WAITING,
              row,
              waits(
                  row,
                  phrases.say("back.returned", trigger, when, phrases.from(attempt.workerId())),
                  phrases.say("back.not-counted", because(attempt))));
    };
  }

  private String because(LedgerEntry attempt) {
    Cause cause = attempt.cause();
    if (cause == null) {
      return phrases.say("tail.none");
    }
    return cause.code() == CauseCode.HANDLER_UNKNOWN
        ? becauseOfItsHandler(phrases.cause(cause), Words.quoted(attempt.message()))
        : phrases.say("tail.cause", phrases.cause(cause));
  }

  /** This may repeat for ever, so the sentence says what would end it. */
  private String becauseOfItsHandler(String cause, String said) {
    String pace = phrases.span(CompletionRules.UNKNOWN_HANDLER_DELAY.toMillis());
    return said.isEmpty()
        ? phrases.say("tail.handler", cause, pace)
        : phrases.say("tail.handler.said", cause, pace, said);
  }

  private String waits(WaitingTrigger row, String what, String why) {
    return row.dueAt() > found.now()
        ? phrases.say("back.until", what, phrases.atIn(row.dueAt(), found.now()), why)
        : phrases.say("back.since", what, phrases.since(row.dueAt(), found.now()), why);
  }

  private String retry(WaitingTrigger row, String trigger) {
    int retry = Math.max(1, row.attempt() - 1);
    int most = found.specOf(row).map(spec -> spec.retry().maxRetries()).orElse(retry);
    return phrases.say("back.retry", trigger, retry, Math.max(retry, most));
  }

  private static Fact fact(FactKind kind, WaitingTrigger row, String text) {
    return new Fact(kind, Instant.ofEpochMilli(row.dueAt()), text);
  }
}
