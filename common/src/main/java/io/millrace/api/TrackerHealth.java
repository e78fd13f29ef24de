package io.millrace.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The health of a tracker.
 *
 * @param trackerId identity of the tracker's process
 * @param number the tracker's leased number
 * @param address address at which nodes reach the tracker
 * @param nodeGroups the node groups that the tracker serves
 * @param trouble the problem that prevents the tracker from working; null if there is none
 */
public record TrackerHealth(
    String trackerId,
    int number,
    String address,
    List<String> nodeGroups,
    @Nullable String trouble) {

  public TrackerHealth {
    nodeGroups = nodeGroups == null ? List.of() : List.copyOf(nodeGroups);
  }

  /** Whether the tracker has no problem. */
  public boolean isGood() {
    return trouble == null;
  }
}
