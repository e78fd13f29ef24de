package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The facts about triggers that wait for their turn, because another trigger of the job runs. */
record HeldFacts(TaskSnapshot found, FactPhrases phrases) {
  private static final int SHOWN = 3;

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
              phrases.say(
                  "held", phrases.trigger(row.key(), row.plannedFor()), place, queued, ahead())));
    }
    if (queued > SHOWN) {
      facts.add(
          new Fact(
              FactKind.HELD,
              null,
              phrases.sayFor(queued - SHOWN, "held.more", Words.grouped(queued - SHOWN))));
    }
    return facts;
  }

  private String ahead() {
    Optional<Execution> counted = found.executing().stream().filter(Execution::counted).findFirst();
    Optional<Execution> running = counted.or(() -> found.executing().stream().findFirst());
    if (running.isPresent()) {
      Execution execution = running.get();
      return phrases.say(
          "held.behind.running",
          phrases.ofTrigger(execution.key(), execution.plannedFor()),
          execution.id(),
          execution.workerId(),
          phrases.since(execution.claimedAt(), found.now()));
    }
    return found.waiting().stream()
        .filter(row -> row.begun() && !row.isHeld())
        .findFirst()
        .map(
            row -> phrases.say("held.behind.begun", phrases.ofTrigger(row.key(), row.plannedFor())))
        .orElseGet(() -> phrases.say("held.behind.unknown"));
  }
}
