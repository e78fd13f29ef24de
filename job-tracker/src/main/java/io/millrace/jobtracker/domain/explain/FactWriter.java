package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.snapshot.Fires;
import io.millrace.jobtracker.domain.snapshot.LostTriggers;
import io.millrace.jobtracker.domain.snapshot.PartsOf;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.snapshot.UnknownTask;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes the facts about a task id in the order of interest to a person: what it is, what happens
 * now and next, what is wrong, and what happened, latest first. Immutable.
 */
public final class FactWriter {
  private final Timing timing;

  public FactWriter(Timing timing) {
    this.timing = timing;
  }

  /**
   * The facts about a known task id: in Chinese for a Chinese locale, otherwise in English.
   *
   * @param zone by whose clocks they say instants; null for UTC in ISO 8601
   */
  public List<Fact> write(TaskSnapshot found, Locale language, @Nullable ZoneId zone) {
    FactPhrases phrases = FactPhrases.of(language, zone);
    PartsOf partsOf = found.partsOf();
    if (partsOf != null) {
      return ofParts(found, partsOf, phrases);
    }
    Fires fires = fires(found);
    List<Fact> facts = new ArrayList<>(new StateFacts(found, phrases).write());
    JobDefinition job = found.job();
    if (job != null && fires != null && job.state().isLive()) {
      facts.add(new ScheduleFacts(job, fires, phrases).write());
    }
    facts.addAll(new RunningFacts(found, timing, phrases).write());
    facts.addAll(new PartFacts(found, timing, phrases).write());
    facts.addAll(new WaitingFacts(found, timing, phrases).write());
    facts.addAll(new HeldFacts(found, phrases).write());
    facts.addAll(new NextFireFacts(found, fires, phrases).write());
    facts.addAll(new DefectFacts(found, fires, new LostTriggers(found, fires), phrases).write());
    facts.addAll(new LedgerFacts(found, timing, phrases).write());
    return facts;
  }

  private List<Fact> ofParts(TaskSnapshot found, PartsOf partsOf, FactPhrases phrases) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new PartFacts(found, timing, phrases).what(partsOf));
    facts.addAll(new RunningFacts(found, timing, phrases).write());
    facts.addAll(new WaitingFacts(found, timing, phrases).write());
    facts.addAll(new LedgerFacts(found, timing, phrases).write());
    return facts;
  }

  /** The facts about an unknown task id, likewise. */
  public List<Fact> write(UnknownTask absence, Locale language, @Nullable ZoneId zone) {
    return new UnknownTaskFacts(absence, FactPhrases.of(language, zone)).write();
  }

  /** Whether a trigger is missing, perhaps only because it moved while the store was read. */
  public boolean seemsTorn(TaskSnapshot found) {
    return found.partsOf() == null && new LostTriggers(found, fires(found)).isAny();
  }

  private @Nullable Fires fires(TaskSnapshot found) {
    JobDefinition job = found.job();
    return job == null || found.isOfOneShot() ? null : Fires.of(job, timing.defaultZone());
  }
}
