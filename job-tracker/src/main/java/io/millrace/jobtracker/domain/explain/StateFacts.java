package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.LedgerRow;
import io.millrace.jobtracker.domain.trigger.Pause;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What kind of job it is, its state, and whether it is paused. */
final class StateFacts {
  private final Findings found;

  StateFacts(Findings found) {
    this.found = found;
  }

  List<Fact> write() {
    JobDefinition job = found.job();
    if (found.isOfOneShot() || job == null) {
      return List.of(oneShot());
    }
    Fact state = new Fact(FactKind.STATE, Instant.ofEpochMilli(job.acceptedAt()), recurring(job));
    return job.state() == JobState.PAUSED ? List.of(state, paused(job)) : List.of(state);
  }

  private static String recurring(JobDefinition job) {
    return "Recurring job, "
        + job.state()
        + ": version "
        + job.version()
        + " of its definition, accepted at "
        + Words.at(job.acceptedAt())
        + from(job.spec())
        + "; "
        + settings(job.priority(), job.spec());
  }

  private Fact oneShot() {
    Optional<WaitingTrigger> waits =
        found.waiting().stream().filter(row -> !row.isOfRecurringJob()).findFirst();
    if (waits.isPresent()) {
      WaitingTrigger row = waits.get();
      return oneShot(row.generatedAt(), row.priority(), found.specOf(row));
    }
    Optional<Execution> runs =
        found.executing().stream().filter(row -> !row.isOfRecurringJob()).findFirst();
    if (runs.isPresent()) {
      Execution row = runs.get();
      return oneShot(row.generatedAt(), row.priority(), Optional.of(row.spec()));
    }
    return found.ends().stream().findFirst().map(StateFacts::ended).orElseGet(StateFacts::orphan);
  }

  private static Fact oneShot(long acceptedAt, int priority, Optional<TriggerSpec> spec) {
    return new Fact(
        FactKind.STATE,
        Instant.ofEpochMilli(acceptedAt),
        "One-shot job, accepted at "
            + Words.at(acceptedAt)
            + spec.map(s -> from(s) + "; " + settings(priority, s)).orElse("."));
  }

  private static Fact ended(LedgerRow last) {
    return new Fact(
        FactKind.STATE,
        Instant.ofEpochMilli(last.generatedAt()),
        "One-shot job, accepted at "
            + Words.at(last.generatedAt())
            + (last.submittedBy() == null ? "" : " from client " + last.submittedBy())
            + "; it has ended.");
  }

  /** Rows of a recurring job whose definition is gone: nobody but a person's SQL removes one. */
  private static Fact orphan() {
    return new Fact(
        FactKind.DEFECT, null, "Triggers of a recurring job whose definition is gone from jt_job.");
  }

  private static String from(TriggerSpec spec) {
    return " from client " + spec.submittedBy() + " of group " + spec.clientGroup();
  }

  private static String settings(int priority, TriggerSpec spec) {
    return "priority "
        + priority
        + ", "
        + (spec.handler() == null ? "the worker's only runner" : "handler " + spec.handler())
        + ", "
        + (spec.retry().maxRetries() == 0
            ? "no retry"
            : "up to " + Words.count(spec.retry().maxRetries(), "retry", "retries"))
        + ".";
  }

  private Fact paused(JobDefinition job) {
    String goesOn = " Nothing of its schedule fires until it is resumed.";
    Pause pause = job.pause();
    if (pause == null) {
      return new Fact(FactKind.PAUSED, null, "Paused; nobody noted by whom." + goesOn);
    }
    String reason = Words.quoted(pause.reason());
    return new Fact(
        FactKind.PAUSED,
        Instant.ofEpochMilli(pause.at()),
        "Paused by "
            + pause.by()
            + " since "
            + Words.since(pause.at(), found.now())
            + (reason.isEmpty() ? ", who gave no reason." : ": " + reason + ".")
            + goesOn);
  }
}
