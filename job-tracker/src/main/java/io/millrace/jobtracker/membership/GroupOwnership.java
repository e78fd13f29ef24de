package io.millrace.jobtracker.membership;

import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TrackerStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which node groups this tracker serves: those that nobody alive serves, for as long as its
 * epoch stands. Driven by one timer, which never overlaps itself.
 */
public final class GroupOwnership {

  /** Begins and ends the service of a node group. */
  public interface Service {
    /** Begins; an exception means that it is tried again. */
    void serve(String nodeGroup, long epoch);

    /** Ends. */
    void leave(String nodeGroup);
  }

  private final NodeGroupStore groups;
  private final TrackerStore trackers;
  private final int self;
  private final Service service;
  private final Map<String, Long> served = new TreeMap<>();
  private final Map<String, String> servedElsewhere = new ConcurrentHashMap<>();
  private boolean ended;

  public GroupOwnership(NodeGroupStore groups, TrackerStore trackers, int self, Service service) {
    this.groups = groups;
    this.trackers = trackers;
    this.self = self;
    this.service = service;
  }

  /**
   * What one run changed.
   *
   * @param taken groups served from now on
   * @param lost groups served no more
   */
  public record Changed(List<String> taken, List<String> lost) {
    public boolean isNothing() {
      return taken.isEmpty() && lost.isEmpty();
    }
  }

  /**
   * Takes over what is free and leaves what was taken. A group that cannot be served keeps no other
   * from it: what it threw comes out when all have been seen, and it is tried again the next time.
   */
  public Changed runOnce(long now) {
    if (ended) {
      return new Changed(List.of(), List.of());
    }
    Map<Integer, String> live =
        trackers.live(now).stream()
            .collect(Collectors.toMap(TrackerStore.Tracker::number, TrackerStore.Tracker::address));
    Changed changed = new Changed(new ArrayList<>(), new ArrayList<>());
    RuntimeException failure = null;
    for (NodeGroup group : groups.all()) {
      try {
        settle(group, live, changed);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return changed;
  }

  private void settle(NodeGroup group, Map<Integer, String> live, Changed changed) {
    Long epoch = served.get(group.name());
    if (epoch != null && epoch != group.epoch()) {
      leave(group.name());
      changed.lost().add(group.name());
    }
    if (!served.containsKey(group.name()) && isFree(group, live.keySet()) && take(group)) {
      changed.taken().add(group.name());
    }
    String owner = group.owner() == null ? null : live.get(group.owner());
    if (served.containsKey(group.name()) || owner == null) {
      servedElsewhere.remove(group.name());
    } else {
      servedElsewhere.put(group.name(), owner);
    }
  }

  /**
   * Address of the tracker that served the group when this last looked; null if this one does, or
   * nobody. Thread-safe.
   */
  public @Nullable String ownerElsewhere(String nodeGroup) {
    return servedElsewhere.get(nodeGroup);
  }

  /** A group that bears this tracker's number without being served is an earlier process's. */
  private boolean isFree(NodeGroup group, Set<Integer> live) {
    Integer owner = group.owner();
    return owner == null || owner == self || !live.contains(owner);
  }

  private boolean take(NodeGroup group) {
    if (!groups.takeOwnership(group.name(), self, group.epoch())) {
      return false;
    }
    long epoch = group.epoch() + 1;
    served.put(group.name(), epoch);
    try {
      service.serve(group.name(), epoch);
      return true;
    } catch (RuntimeException | Error e) {
      served.remove(group.name());
      throw e;
    }
  }

  private void leave(String group) {
    served.remove(group);
    service.leave(group);
  }

  /**
   * Gives every group up, so that others need not wait for the lease to run out, and takes none any
   * more. All are left before the store is asked, which may be gone.
   */
  public void releaseAll() {
    ended = true;
    Map<String, Long> left = new TreeMap<>(served);
    left.keySet().forEach(this::leave);
    left.forEach((group, epoch) -> groups.release(group, self, epoch));
  }
}
