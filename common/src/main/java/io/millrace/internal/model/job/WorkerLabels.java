package io.millrace.internal.model.job;

import io.millrace.api.Job;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Decides whether labels are allowed, those of workers and those that jobs require. */
public final class WorkerLabels {
  private static final int MAX_CHARS = 64;

  private WorkerLabels() {}

  /** The first fault of labels, or null. */
  public static @Nullable String faultOf(Collection<String> labels) {
    if (labels.size() > Job.MAX_LABELS) {
      return labels.size() + " labels are more than " + Job.MAX_LABELS;
    }
    return labels.stream()
        .filter(label -> !isLabel(label))
        .findFirst()
        .map(
            label ->
                "label '"
                    + label
                    + "' is not 1 to "
                    + MAX_CHARS
                    + " letters, digits and the characters - _ . : / =")
        .orElse(null);
  }

  private static boolean isLabel(String label) {
    return !label.isEmpty()
        && label.length() <= MAX_CHARS
        && label.chars().allMatch(WorkerLabels::isAllowed);
  }

  private static boolean isAllowed(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || "-_.:/=".indexOf(c) >= 0;
  }
}
