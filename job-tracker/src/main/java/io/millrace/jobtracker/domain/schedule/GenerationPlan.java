package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one generation of a job writes, in one transaction.
 *
 * @param planned the instants to insert triggers for, rising
 * @param generatedUntil the new mark: triggers up to and including this instant exist or were
 *     skipped. Never before the old mark
 * @param generateAt when to generate again; null if and only if the schedule is exhausted
 * @param exhausted whether no fire time lies after the new mark
 * @param skipped the fire times that were missed; null if none were
 */
public record GenerationPlan(
    List<Instant> planned,
    Instant generatedUntil,
    @Nullable Instant generateAt,
    boolean exhausted,
    @Nullable SkippedRange skipped) {

  public GenerationPlan {
    planned = List.copyOf(planned);
  }
}
