package io.millrace.scripts.operate.run;

import io.millrace.console.api.PartTally;
import java.util.ArrayList;
import java.util.List;

/** The words for how far the parts of a run are. */
final class BatchLines {
  private BatchLines() {}

  /** Such as {@code 3 of 8 parts have ended}. */
  static String ended(PartTally parts) {
    return "%d of %d parts have ended".formatted(parts.ended(), parts.total());
  }

  /** As {@link #ended}, and what the others do. */
  static String counts(PartTally parts) {
    List<String> others = new ArrayList<>();
    add(others, parts.running(), "running");
    add(others, parts.waiting(), "waiting");
    add(others, parts.unreleased(), "to follow");
    return ended(parts) + (others.isEmpty() ? "" : "; " + String.join(", ", others));
  }

  /** How those ended that have; empty if none has. */
  static String ends(PartTally parts) {
    List<String> ends = new ArrayList<>();
    add(ends, parts.succeeded(), "succeeded");
    add(ends, parts.failed(), "failed");
    add(ends, parts.dead(), "dead");
    add(ends, parts.cancelled(), "cancelled");
    add(ends, parts.skipped(), "skipped");
    return String.join(", ", ends);
  }

  private static void add(List<String> to, int count, String what) {
    if (count > 0) {
      to.add(count + " " + what);
    }
  }
}
