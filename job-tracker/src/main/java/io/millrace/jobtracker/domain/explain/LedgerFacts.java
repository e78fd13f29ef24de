package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The facts from the ledger, latest first. */
record LedgerFacts(TaskSnapshot found, Timing timing, FactPhrases phrases) {
  private static final int SHOWN = 10;

  List<Fact> write() {
    List<LedgerEntry> rows =
        found.ends().stream()
            .sorted(
                Comparator.comparingLong((LedgerEntry row) -> row.times().finishedAt())
                    .thenComparingLong(LedgerEntry::id)
                    .reversed())
            .toList();
    List<Fact> facts = new ArrayList<>();
    int next = 0;
    while (next < rows.size() && facts.size() < SHOWN) {
      int run = runOfSkipped(rows, next);
      facts.add(run == 0 ? ended(rows.get(next)) : skipped(rows.subList(next, next + run)));
      next += Math.max(1, run);
    }
    return facts;
  }

  /**
   * The number of rows from this one on that were skipped for the same cause; 0 if this one was
   * not.
   */
  private static int runOfSkipped(List<LedgerEntry> rows, int from) {
    int to = from;
    while (to < rows.size()
        && rows.get(to).status() == LedgerStatus.SKIPPED
        && Objects.equals(rows.get(to).cause(), rows.get(from).cause())) {
      to++;
    }
    return to - from;
  }

  private Fact skipped(List<LedgerEntry> rows) {
    long count = rows.stream().mapToLong(LedgerEntry::instants).sum();
    long first = rows.stream().mapToLong(LedgerEntry::plannedFor).min().orElseThrow();
    long last = rows.stream().mapToLong(LedgerEntry::plannedTo).max().orElseThrow();
    LedgerEntry latest = rows.get(0);
    String noted = phrases.at(latest.times().finishedAt());
    String text =
        count == 1
            ? phrases.say(
                "skipped.one",
                phrases.trigger(latest.key(), latest.plannedFor()),
                noted,
                cause(latest))
            : phrases.say(
                "skipped.many",
                phrases.count(count, "fire-times"),
                phrases.at(first),
                phrases.at(last),
                noted,
                cause(latest));
    return new Fact(FactKind.SKIPPED, Instant.ofEpochMilli(latest.times().finishedAt()), text);
  }

  private String cause(LedgerEntry row) {
    Cause cause = row.cause();
    if (cause == null) {
      return phrases.say("skipped.cause.none");
    }
    return cause.code() == CauseCode.MISSED
        ? phrases.say("skipped.cause.missed", phrases.span(timing.misfireThreshold().toMillis()))
        : phrases.say("skipped.cause", phrases.cause(cause));
  }

  private Fact ended(LedgerEntry row) {
    return new Fact(
        FactKind.ENDED,
        Instant.ofEpochMilli(row.times().finishedAt()),
        phrases.sentences(
            pace(row),
            phrases.origin(row.origin().replayOf()),
            returned(row),
            found.deadOf(row).map(phrases::fate).orElse(""),
            row.status() == LedgerStatus.DEAD ? new KeptPhrases(found, phrases).of(row.id()) : "",
            said(row)));
  }

  private String sentence(LedgerEntry row) {
    String trigger = phrases.triggers(row);
    String when = phrases.at(row.times().finishedAt());
    String where = phrases.where(row.workerId());
    String cause = phrases.byCause(row.cause());
    return switch (row.status()) {
      case SUCCEEDED -> phrases.say("ledger.succeeded", trigger, when, where, row.attempt());
      case FAILED -> phrases.say("ledger.failed", trigger, when, where, row.attempt());
      case DEAD -> phrases.say("ledger.dead", trigger, when, cause, where, row.attempt());
      case CANCELLED -> phrases.say("ledger.cancelled", trigger, when, where, cause);
      case SKIPPED -> phrases.say("ledger.skipped", trigger, when, cause);
      case RETRIED ->
          row.cause() == null
              ? phrases.say("ledger.threw", attempt(row), when, where)
              : phrases.say(
                  "ledger.retried", attempt(row), phrases.cause(row.cause()), when, where);
      case POSTPONED -> phrases.say("ledger.postponed", attempt(row), when, where);
      case RETURNED ->
          phrases.say("ledger.returned", attempt(row), when, phrases.from(row.workerId()), cause);
      case RESCUED -> phrases.say("ledger.rescued", attempt(row), when, where);
    };
  }

  private String attempt(LedgerEntry row) {
    return phrases.say(
        "ledger.attempt", row.attempt(), phrases.ofTrigger(row.key(), row.plannedFor()));
  }

  /** How long the execution took, by the tracker's clock only: the worker's clock may differ. */
  private String pace(LedgerEntry row) {
    Long claimedAt = row.times().claimedAt();
    return claimedAt == null
        ? phrases.say("ledger.end", sentence(row))
        : phrases.say(
            "ledger.pace",
            sentence(row),
            phrases.span(Math.max(0, claimedAt - row.times().dueAt())),
            phrases.span(row.times().finishedAt() - claimedAt));
  }

  private String returned(LedgerEntry row) {
    Integer bytes = found.resultBytes().get(row.id());
    return bytes == null
        ? ""
        : phrases.say("ledger.returned-value", phrases.count(bytes, "bytes"), row.id());
  }

  private String said(LedgerEntry row) {
    String said = Words.quoted(row.message());
    return said.isEmpty() ? "" : phrases.say("ledger.said", said);
  }
}
