package io.millrace.jobtracker.explain;

import io.millrace.jobtracker.domain.snapshot.GroupView;
import java.util.Optional;

/** What this tracker has in memory of the node groups it serves. Thread-safe. */
public interface LiveGroups {

  /** What it knows of a node group; empty if it does not serve it. */
  Optional<GroupView> view(String nodeGroup);
}
