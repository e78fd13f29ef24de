package io.millrace.jobtracker.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The node groups that this tracker serves, by name. Thread-safe.
 *
 * @param <G> the object that serves a node group
 */
public final class GroupRegistry<G> {
  private final Map<String, G> groups = new ConcurrentHashMap<>();

  /** The group with this name, if it is served here. */
  public Optional<G> find(String nodeGroup) {
    return Optional.ofNullable(groups.get(nodeGroup));
  }

  public boolean serves(String nodeGroup) {
    return groups.containsKey(nodeGroup);
  }

  /** The names of the served groups, sorted. */
  public List<String> names() {
    return groups.keySet().stream().sorted().toList();
  }

  /** The served groups, in no order; groups that change during the call may be included or not. */
  public Collection<G> all() {
    return List.copyOf(groups.values());
  }

  @Nullable G get(String nodeGroup) {
    return groups.get(nodeGroup);
  }

  void put(String nodeGroup, G group) {
    groups.put(nodeGroup, group);
  }

  void remove(String nodeGroup, G group) {
    groups.remove(nodeGroup, group);
  }
}
