package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.jobtracker.domain.trigger.EndStatus;
import io.millrace.jobtracker.domain.trigger.LedgerRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** What the ledger tells, latest first. */
final class LedgerFacts {
  private static final int SHOWN = 10;

  private final Findings found;
  private final Timing timing;

  LedgerFacts(Findings found, Timing timing) {
    this.found = found;
    this.timing = timing;
  }

  List<Fact> write() {
    List<LedgerRow> rows =
        found.ends().stream()
            .sorted(
                Comparator.comparingLong(LedgerRow::finishedAt)
                    .thenComparingLong(LedgerRow::id)
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

  /** How many rows from this one on were skipped for the same cause. */
  private static int runOfSkipped(List<LedgerRow> rows, int from) {
    int to = from;
    while (to < rows.size()
        && rows.get(to).status() == EndStatus.SKIPPED
        && Objects.equals(rows.get(to).cause(), rows.get(from).cause())) {
      to++;
    }
    return to - from;
  }

  private Fact skipped(List<LedgerRow> rows) {
    long count = rows.stream().mapToLong(LedgerRow::instants).sum();
    long first = rows.stream().mapToLong(LedgerRow::plannedFor).min().orElseThrow();
    long last = rows.stream().mapToLong(LedgerRow::plannedTo).max().orElseThrow();
    LedgerRow latest = rows.get(0);
    String what =
        count == 1
            ? Words.trigger(latest.key(), latest.plannedFor()) + " was skipped"
            : Words.count(count, "fire time", "fire times")
                + " from "
                + Words.at(first)
                + " to "
                + Words.at(last)
                + " were skipped";
    return new Fact(
        FactKind.SKIPPED,
        Instant.ofEpochMilli(latest.finishedAt()),
        what + ", noted at " + Words.at(latest.finishedAt()) + ": " + cause(latest));
  }

  private String cause(LedgerRow row) {
    String cause = row.cause();
    if (cause == null) {
      return "no cause was noted.";
    }
    return cause.equals("missed")
        ? "missed, because no worker drew it within "
            + Words.span(timing.misfireThreshold().toMillis())
            + " of its time."
        : cause + ".";
  }

  private Fact ended(LedgerRow row) {
    return new Fact(
        FactKind.ENDED,
        Instant.ofEpochMilli(row.finishedAt()),
        sentence(row)
            + pace(row)
            + DeadWords.origin(row.replayOf())
            + found.deadOf(row).map(DeadWords::fate).orElse("")
            + said(row));
  }

  private String sentence(LedgerRow row) {
    String trigger = Words.trigger(row.key(), row.plannedFor());
    String attempt =
        "Attempt " + row.attempt() + " of " + Words.ofTrigger(row.key(), row.plannedFor());
    String when = " at " + Words.at(row.finishedAt());
    String where = row.workerId() == null ? "" : " on worker " + row.workerId();
    String cause = row.cause() == null ? "" : ", " + row.cause();
    return switch (row.status()) {
      case SUCCEEDED -> trigger + " succeeded" + when + where + attemptOf(row);
      case FAILED -> trigger + " failed, as the job itself said," + when + where + attemptOf(row);
      case DEAD ->
          trigger + " is DEAD since " + Words.at(row.finishedAt()) + cause + where + attemptOf(row);
      case CANCELLED -> trigger + " was cancelled" + when + where + cause;
      case SKIPPED -> trigger + " was skipped" + when + cause;
      case RETRIED -> attempt + (row.cause() == null ? " threw" : " " + row.cause()) + when + where;
      case POSTPONED -> attempt + " asked to run later" + when + where;
      case RETURNED -> attempt + " came back" + when + " from" + where.replace(" on", "") + cause;
      case RESCUED -> attempt + " was given up" + when + where + ", the worker's lease had run out";
    };
  }

  private static String attemptOf(LedgerRow row) {
    return ", attempt " + row.attempt();
  }

  /** By the tracker's clock alone: that of the worker may differ. */
  private static String pace(LedgerRow row) {
    Long claimedAt = row.claimedAt();
    return claimedAt == null
        ? "."
        : "; claimed "
            + Words.span(Math.max(0, claimedAt - row.dueAt()))
            + " after it was due, over "
            + Words.span(row.finishedAt() - claimedAt)
            + " later.";
  }

  private static String said(LedgerRow row) {
    String said = Words.quoted(row.message());
    return said.isEmpty() ? "" : " It said: " + said;
  }
}
