package io.millrace.jobtracker.complete;

import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets a run split into no parts only if every tracker knows parts: one that does not would never
 * end such a run. Nothing was stored for it before, which would have been refused; otherwise its
 * attempt has failed. Thread-safe.
 */
final class AdmittedSplits {
  private final Function<FeatureLevel, @Nullable String> refusal;

  /**
   * @param refusal returns why nothing may be stored that needs a feature level; null if it may
   */
  AdmittedSplits(Function<FeatureLevel, @Nullable String> refusal) {
    this.refusal = refusal;
  }

  /** The ends as they may be stored, in order. Not to be called in a transaction. */
  List<AttemptOutcome> admitted(List<AttemptOutcome> ends) {
    if (ends.stream().noneMatch(AdmittedSplits::splitsIntoNothing)) {
      return ends;
    }
    String why = refusal.apply(FeatureLevel.PARTS);
    return why == null ? ends : ends.stream().map(end -> failed(end, why)).toList();
  }

  private static boolean splitsIntoNothing(AttemptOutcome end) {
    Integer staged = end.staged();
    return staged != null && staged == 0;
  }

  private static AttemptOutcome failed(AttemptOutcome end, String why) {
    return end instanceof AttemptOutcome.Reported reported && splitsIntoNothing(end)
        ? ReportedResult.failed(reported, "its run cannot be split: " + why)
        : end;
  }
}
