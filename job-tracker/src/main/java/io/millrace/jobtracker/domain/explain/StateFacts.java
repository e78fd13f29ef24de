package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The facts about a job's kind, its state, and whether it is paused. */
record StateFacts(TaskSnapshot found, FactPhrases phrases) {
  private static final String OPERATOR = "operator/";

  List<Fact> write() {
    JobDefinition job = found.job();
    if (found.isOfOneShot() || job == null) {
      return List.of(oneShot());
    }
    Fact state = new Fact(FactKind.STATE, Instant.ofEpochMilli(job.acceptedAt()), recurring(job));
    List<Fact> facts = new ArrayList<>(List.of(state));
    if (found.declared() != null) {
      facts.add(declared(job, found.declared()));
    }
    if (job.state() == JobState.PAUSED) {
      facts.add(paused(job));
    }
    return facts;
  }

  private String recurring(JobDefinition job) {
    return phrases.say(
        "state.recurring",
        phrases.say("state." + job.state()),
        job.version(),
        phrases.at(job.acceptedAt()),
        submitter(job.spec()),
        settings(job.priority(), job.spec()));
  }

  private Fact declared(JobDefinition job, DeclaredJob row) {
    Latest latest = row.latest();
    Retirement retirement = row.retirement();
    String owner =
        latest.revision() == null
            ? phrases.say("declared.owner", latest.owner())
            : phrases.say("declared.owner.revision", latest.owner(), "" + latest.revision());
    if (retirement != null) {
      return new Fact(
          FactKind.DECLARED,
          Instant.ofEpochMilli(retirement.at()),
          phrases.say("declared.retired", owner, phrases.at(retirement.at())));
    }
    boolean isEdited =
        job.state().isLive() && !job.spec().submissionId().equals(row.submissionId());
    return new Fact(
        FactKind.DECLARED,
        Instant.ofEpochMilli(row.declaredAt()),
        isEdited
            ? phrases.say(
                "declared.edited", owner, phrases.at(row.declaredAt()), submitter(job.spec()))
            : phrases.say("declared", owner, phrases.at(row.declaredAt())));
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
    return found.ends().stream().findFirst().map(this::ended).orElseGet(this::orphan);
  }

  private Fact oneShot(long acceptedAt, int priority, Optional<TriggerSpec> spec) {
    String at = phrases.at(acceptedAt);
    return new Fact(
        FactKind.STATE,
        Instant.ofEpochMilli(acceptedAt),
        spec.map(s -> phrases.say("state.one-shot", at, submitter(s), settings(priority, s)))
            .orElseGet(() -> phrases.say("state.one-shot.bare", at)));
  }

  private Fact ended(LedgerEntry last) {
    String at = phrases.at(last.times().generatedAt());
    return new Fact(
        FactKind.STATE,
        Instant.ofEpochMilli(last.times().generatedAt()),
        last.origin().submittedBy() == null
            ? phrases.say("state.ended", at)
            : phrases.say("state.ended.client", at, last.origin().submittedBy()));
  }

  /**
   * Rows of a recurring job without a definition; only SQL run by a person removes a definition.
   */
  private Fact orphan() {
    return new Fact(FactKind.DEFECT, null, phrases.say("defect.orphan"));
  }

  /** Operators have no client group, and clients do not need one. */
  private String submitter(TriggerSpec spec) {
    if (!spec.clientGroup().isEmpty()) {
      return phrases.say("submitter.of-group", spec.submittedBy(), spec.clientGroup());
    }
    return spec.submittedBy().startsWith(OPERATOR)
        ? phrases.say("submitter.operator", spec.submittedBy().substring(OPERATOR.length()))
        : phrases.say("submitter.client", spec.submittedBy());
  }

  private String settings(int priority, TriggerSpec spec) {
    int retries = spec.retry().maxRetries();
    return phrases.say(
        "settings",
        priority,
        spec.handler() == null
            ? phrases.say("settings.runner")
            : phrases.say("settings.handler", spec.handler()),
        retries == 0
            ? phrases.say("settings.retries.none")
            : phrases.sayFor(retries, "settings.retries", Words.grouped(retries)));
  }

  private Fact paused(JobDefinition job) {
    Pause pause = job.pause();
    if (pause == null) {
      return new Fact(FactKind.PAUSED, null, phrases.say("paused.by-unknown"));
    }
    String since = phrases.since(pause.at(), found.now());
    String reason = Words.quoted(pause.reason());
    return new Fact(
        FactKind.PAUSED,
        Instant.ofEpochMilli(pause.at()),
        reason.isEmpty()
            ? phrases.say("paused.no-reason", pause.by(), since)
            : phrases.say("paused", pause.by(), since, reason));
  }
}
