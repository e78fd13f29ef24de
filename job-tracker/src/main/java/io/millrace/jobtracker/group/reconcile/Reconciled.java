package io.millrace.jobtracker.group.reconcile;

import java.util.List;
import java.util.Map;

/**
 * The result of one run.
 *
 * @param jobs recurring jobs checked
 * @param triggers waiting triggers checked
 * @param repaired the number of repairs of each kind of damage
 * @param first the first few repairs, in words
 * @param failed the number of objects that could be neither checked nor repaired
 */
public record Reconciled(
    int jobs, int triggers, Map<Inconsistency, Integer> repaired, List<String> first, int failed) {

  /** Whether nothing was broken. */
  public boolean isNothing() {
    return repaired.isEmpty() && failed == 0;
  }

  /** The number of repairs of one kind of damage. */
  public int count(Inconsistency damage) {
    return repaired.getOrDefault(damage, 0);
  }
}
