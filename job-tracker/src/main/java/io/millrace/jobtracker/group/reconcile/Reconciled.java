package io.millrace.jobtracker.group.reconcile;

import java.util.List;
import java.util.Map;

/**
 * What one run looked at and repaired.
 *
 * @param jobs recurring jobs looked at
 * @param triggers waiting triggers looked at
 * @param repaired how many of each damage were repaired
 * @param first the first few repairs, in words
 * @param failed what could be neither judged nor repaired
 */
public record Reconciled(
    int jobs, int triggers, Map<Inconsistency, Integer> repaired, List<String> first, int failed) {

  /** Whether nothing was broken. */
  public boolean isNothing() {
    return repaired.isEmpty() && failed == 0;
  }

  /** How many of one damage were repaired. */
  public int count(Inconsistency damage) {
    return repaired.getOrDefault(damage, 0);
  }
}
