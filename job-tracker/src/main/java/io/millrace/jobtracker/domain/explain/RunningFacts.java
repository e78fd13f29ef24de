package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What workers have in hand. */
final class RunningFacts {
  private static final int SHOWN = 5;

  private final Findings found;
  private final Timing timing;

  RunningFacts(Findings found, Timing timing) {
    this.found = found;
    this.timing = timing;
  }

  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    found.executing().stream()
        .sorted(Comparator.comparingLong(Execution::claimedAt))
        .limit(SHOWN)
        .forEach(execution -> facts.add(running(execution)));
    int more = found.executing().size() - SHOWN;
    if (more > 0) {
      facts.add(new Fact(FactKind.RUNNING, null, more(more)));
    }
    return facts;
  }

  private String more(int more) {
    boolean isCut = found.executing().size() == Findings.MAX_EXECUTING;
    return (isCut ? "At least " : "") + Words.count(more, "more runs.", "more run.");
  }

  private Fact running(Execution execution) {
    return new Fact(
        FactKind.RUNNING,
        Instant.ofEpochMilli(execution.claimedAt()),
        Words.trigger(execution.key(), execution.plannedFor())
            + " runs on worker "
            + execution.workerId()
            + ", which claimed it at "
            + Words.since(execution.claimedAt(), found.now())
            + ": attempt "
            + execution.attempt()
            + " of "
            + Math.max(execution.attempt(), execution.spec().retry().maxRetries() + 1)
            + ", execution "
            + execution.id()
            + "."
            + DeadWords.origin(execution.spec().replayOf())
            + stop(execution)
            + connection(execution));
  }

  private static String stop(Execution execution) {
    return execution.stopRequested()
        ? " It was asked to stop: a success still counts, and no attempt follows."
        : "";
  }

  private String connection(Execution execution) {
    GroupView view = found.serving().here();
    return view == null || view.workers().contains(execution.workerId())
        ? ""
        : " That worker is not connected: unless it comes back, the run is taken from it when its"
            + " lease of "
            + Words.span(timing.workerLease().toMillis())
            + " is over.";
  }
}
