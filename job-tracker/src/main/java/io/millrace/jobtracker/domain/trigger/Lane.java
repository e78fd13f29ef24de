package io.millrace.jobtracker.domain.trigger;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a worker must have to run a trigger: labels that its configuration gives it, or features of
 * its software. The triggers of a node group that require the same wait in one lane. Lane 0
 * requires nothing.
 *
 * @param number of the lane in its node group
 * @param labels what a worker must have, sorted; a feature begins with {@code #}, which no label
 *     does
 */
public record Lane(int number, List<String> labels) {
  /** The most sets of labels that the jobs of a node group may require. */
  public static final int MOST = 16;

  /** What a worker has whose software knows parts of runs. */
  public static final String PARTS = "#parts";

  /** The lane of triggers that any worker may run. */
  public static final Lane PLAIN = new Lane(0, List.of());

  public Lane {
    labels = List.copyOf(labels);
  }

  /** What triggers may require of a worker with these labels and features. */
  public static Set<String> offers(Collection<String> labels, Collection<String> features) {
    Set<String> offers = new HashSet<>(labels);
    features.forEach(feature -> offers.add("#" + feature));
    return offers;
  }

  /** Whether a worker with these labels and features may run triggers of the lane. */
  public boolean isServedBy(Collection<String> has) {
    return labels.isEmpty() || has.containsAll(labels);
  }

  /** Whether it requires a worker whose software knows parts of runs. */
  public boolean isForParts() {
    return labels.contains(PARTS);
  }

  /** The labels among what it requires. */
  public List<String> ofConfiguration() {
    return labels.stream().filter(label -> !isFeature(label)).toList();
  }

  /** Whether this is a feature of software and no label. */
  public static boolean isFeature(String label) {
    return label.startsWith("#");
  }
}
