package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What waits for its turn, because another trigger of the job runs. */
final class HeldFacts {
  private static final int SHOWN = 3;

  private final Findings found;

  HeldFacts(Findings found) {
    this.found = found;
  }

  List<Fact> write() {
    List<WaitingTrigger> held = found.waiting().stream().filter(WaitingTrigger::isHeld).toList();
    int queued = Math.max(found.turns().queued(), held.size());
    List<Fact> facts = new ArrayList<>();
    for (int place = 1; place <= Math.min(SHOWN, held.size()); place++) {
      WaitingTrigger row = held.get(place - 1);
      facts.add(
          new Fact(
              FactKind.HELD,
              Instant.ofEpochMilli(row.plannedFor()),
              Words.trigger(row.key(), row.plannedFor())
                  + " waits for its turn, in place "
                  + place
                  + " of "
                  + queued
                  + ": one run of the job at a time, and "
                  + ahead()));
    }
    if (queued > SHOWN) {
      facts.add(
          new Fact(
              FactKind.HELD,
              null,
              Words.count(queued - SHOWN, "more waits", "more wait") + " for their turn."));
    }
    return facts;
  }

  private String ahead() {
    Optional<Execution> counted = found.executing().stream().filter(Execution::counted).findFirst();
    Optional<Execution> running = counted.or(() -> found.executing().stream().findFirst());
    if (running.isPresent()) {
      Execution execution = running.get();
      return Words.ofTrigger(execution.key(), execution.plannedFor())
          + " is under way as execution "
          + execution.id()
          + " on worker "
          + execution.workerId()
          + " since "
          + Words.since(execution.claimedAt(), found.now())
          + ".";
    }
    return found.waiting().stream()
        .filter(row -> row.begun() && !row.isHeld())
        .findFirst()
        .map(
            row ->
                Words.ofTrigger(row.key(), row.plannedFor())
                    + " has begun and waits for its next attempt.")
        .orElse("the one before it has just ended or is about to begin.");
  }
}
