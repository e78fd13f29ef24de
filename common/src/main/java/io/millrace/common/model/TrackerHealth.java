package io.millrace.common.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a tracker is.
 *
 * @param trackerId identity of its process
 * @param number its leased number
 * @param address where nodes reach it
 * @param nodeGroups the node groups it serves
 * @param trouble what keeps it from working; null if nothing does
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

  /** Whether nothing keeps it from working. */
  public boolean isGood() {
    return trouble == null;
  }
}
