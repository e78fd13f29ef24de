package io.millrace.scripts.operate.file;

import io.millrace.scripts.api.ApiPath;
import java.util.Comparator;

/** The key of a job. In the order of node group and task id. */
record Key(String nodeGroup, String taskId) implements Comparable<Key> {
  private static final Comparator<Key> ORDER =
      Comparator.comparing(Key::nodeGroup).thenComparing(Key::taskId);

  /** The path of the job. */
  ApiPath path() {
    return ApiPath.of("jobs", nodeGroup, taskId);
  }

  /** The path of an action on the job. */
  ApiPath path(String action) {
    return ApiPath.of("jobs", nodeGroup, taskId, action);
  }

  @Override
  public int compareTo(Key other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return nodeGroup + "/" + taskId;
  }
}
