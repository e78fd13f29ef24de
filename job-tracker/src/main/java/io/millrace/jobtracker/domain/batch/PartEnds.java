package io.millrace.jobtracker.domain.batch;

import io.millrace.api.Disposition;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import java.util.Objects;

/** How many parts ended, by how they ended. Immutable. */
public record PartEnds(int succeeded, int failed, int dead, int cancelled, int skipped) {
  public static final PartEnds NONE = new PartEnds(0, 0, 0, 0, 0);

  public PartEnds {
    if (succeeded < 0 || failed < 0 || dead < 0 || cancelled < 0 || skipped < 0) {
      throw new IllegalArgumentException(
          "counts of parts cannot be negative: %d succeeded, %d failed, %d dead, %d cancelled, %d skipped"
              .formatted(succeeded, failed, dead, cancelled, skipped));
    }
  }

  /** So many parts that ended CANCELLED. */
  public static PartEnds cancelled(int parts) {
    return new PartEnds(0, 0, 0, parts, 0);
  }

  /** One part that ended so. */
  public static PartEnds of(Disposition end) {
    return of(end, 1);
  }

  /** So many parts whose rows of the ledger have this status, which is final. */
  public static PartEnds of(LedgerStatus status, int parts) {
    return of(Objects.requireNonNull(status.disposition(), "a part that goes on"), parts);
  }

  private static PartEnds of(Disposition end, int parts) {
    return switch (end) {
      case SUCCEEDED -> new PartEnds(parts, 0, 0, 0, 0);
      case FAILED -> new PartEnds(0, parts, 0, 0, 0);
      case DEAD -> new PartEnds(0, 0, parts, 0, 0);
      case CANCELLED -> cancelled(parts);
      case SKIPPED -> new PartEnds(0, 0, 0, 0, parts);
      case UNKNOWN -> throw new IllegalArgumentException("a part cannot end " + end);
    };
  }

  public PartEnds plus(PartEnds more) {
    return new PartEnds(
        succeeded + more.succeeded,
        failed + more.failed,
        dead + more.dead,
        cancelled + more.cancelled,
        skipped + more.skipped);
  }

  /** How many ended in all. */
  public int total() {
    return succeeded + failed + dead + cancelled + skipped;
  }
}
