package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.cron.LocalFire;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.snapshot.Fires;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The coming fire times, or why there are none. */
record NextFireFacts(TaskSnapshot found, @Nullable Fires fires, FactPhrases phrases) {
  private static final int SHOWN = 3;

  List<Fact> write() {
    JobDefinition job = found.job();
    if (found.isOfOneShot() || job == null) {
      return found.isAlive() ? List.of() : List.of(nothing("end.one-shot"));
    }
    return switch (job.state()) {
      case ACTIVE -> active(job);
      case PAUSED -> List.of();
      case FINISHED -> List.of(nothing("end.finished"));
      case CANCELLED -> List.of(nothing("end.cancelled"));
    };
  }

  private List<Fact> active(JobDefinition job) {
    if (fires == null || fires.times() == null) {
      return List.of();
    }
    if (job.spec().chained()) {
      return found.coming().stream()
          .filter(row -> row.isOfRecurringJob() && !row.key().isExtra())
          .map(WaitingTrigger::plannedFor)
          .map(at -> fire("fire.next", at, job))
          .toList();
    }
    List<Fact> facts = new ArrayList<>();
    for (long at : fires.between(found.now(), Long.MAX_VALUE, SHOWN)) {
      facts.add(fire(facts.isEmpty() ? "fire.next" : "fire.then", at, job));
    }
    return facts.isEmpty() ? List.of(exhausted()) : facts;
  }

  private Fact fire(String key, long at, JobDefinition job) {
    Long generateAt = job.generateAt();
    return new Fact(
        FactKind.NEXT_FIRE,
        Instant.ofEpochMilli(at),
        phrases.sentences(
            phrases.say(key, shown(at)),
            at <= job.generatedUntil() || generateAt == null
                ? ""
                : phrases.say("fire.written", phrases.at(generateAt))));
  }

  private String shown(long at) {
    LocalFire fire = fires == null ? null : fires.local(at, phrases.language()).orElse(null);
    return fires == null || fire == null
        ? phrases.atIn(at, found.now())
        : phrases.fire(fire, fires.zone(), found.now());
  }

  private Fact exhausted() {
    return nothing(
        found.waiting().isEmpty() && found.executing().isEmpty() ? "end.soon" : "end.later");
  }

  private Fact nothing(String key) {
    return new Fact(FactKind.NO_NEXT_FIRE, null, phrases.say(key));
  }
}
