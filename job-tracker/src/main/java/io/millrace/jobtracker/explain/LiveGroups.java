package io.millrace.jobtracker.explain;

import io.millrace.jobtracker.domain.snapshot.GroupView;
import java.util.Optional;

/** What this tracker holds in memory of the node groups it serves. Thread-safe. */
public interface LiveGroups {

  /** What this tracker knows of a node group; empty if it does not serve the group. */
  Optional<GroupView> view(String nodeGroup);
}
