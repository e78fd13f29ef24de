package io.millrace.jobtracker.cluster;

import io.millrace.internal.protocol.HintRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hints that one peer has not received yet, each once. Bounded: hints beyond the bounds are
 * dropped, and the peer finds the rows by its own timers. Not thread-safe.
 */
final class PendingHints {
  static final int MAX_GROUPS = 1_000;
  static final int MAX_EXECUTIONS = 10_000;

  private final Map<String, Long> triggers = new LinkedHashMap<>();
  private final ExecutionsByGroup ended = new ExecutionsByGroup();
  private final ExecutionsByGroup stopRequested = new ExecutionsByGroup();
  private final ExecutionsByGroup terminated = new ExecutionsByGroup();
  private final Set<String> nodeGroups = new LinkedHashSet<>();
  private HintRequest.@Nullable Feedback feedback;

  void triggersStored(String nodeGroup, long earliestDueAt) {
    if (triggers.containsKey(nodeGroup) || triggers.size() < MAX_GROUPS) {
      triggers.merge(nodeGroup, earliestDueAt, Math::min);
    }
  }

  void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
    ended.add(nodeGroup, executionIds);
  }

  void stopRequested(String nodeGroup, Collection<Long> executionIds) {
    stopRequested.add(nodeGroup, executionIds);
  }

  void terminated(String nodeGroup, Collection<Long> executionIds) {
    terminated.add(nodeGroup, executionIds);
  }

  void nodeGroupStored(String nodeGroup) {
    if (nodeGroups.size() < MAX_GROUPS) {
      nodeGroups.add(nodeGroup);
    }
  }

  /** Only the latest client groups that the sending tracker serves itself are kept. */
  void feedbackStored(Collection<String> clientGroups) {
    feedback = new HintRequest.Feedback(clientGroups.stream().limit(MAX_GROUPS).toList());
  }

  boolean isEmpty() {
    return triggers.isEmpty()
        && ended.isEmpty()
        && stopRequested.isEmpty()
        && terminated.isEmpty()
        && nodeGroups.isEmpty()
        && feedback == null;
  }

  /** Returns and removes all hints. */
  HintRequest take() {
    List<HintRequest.Triggers> due = new ArrayList<>();
    triggers.forEach((group, at) -> due.add(new HintRequest.Triggers(group, at)));
    HintRequest all =
        new HintRequest(
            due,
            ended.all(),
            stopRequested.all(),
            terminated.all(),
            List.copyOf(nodeGroups),
            feedback);
    clear();
    return all;
  }

  void clear() {
    triggers.clear();
    ended.clear();
    stopRequested.clear();
    terminated.clear();
    nodeGroups.clear();
    feedback = null;
  }

  /** Executions by node group, up to {@link #MAX_EXECUTIONS} in total. */
  private static final class ExecutionsByGroup {
    private final Map<String, Set<Long>> byGroup = new LinkedHashMap<>();
    private int room = MAX_EXECUTIONS;

    void add(String nodeGroup, Collection<Long> executionIds) {
      for (Long executionId : executionIds) {
        if (room == 0) {
          return;
        }
        if (byGroup.computeIfAbsent(nodeGroup, name -> new LinkedHashSet<>()).add(executionId)) {
          room--;
        }
      }
    }

    boolean isEmpty() {
      return byGroup.isEmpty();
    }

    List<HintRequest.Executions> all() {
      List<HintRequest.Executions> all = new ArrayList<>();
      byGroup.forEach((group, ids) -> all.add(new HintRequest.Executions(group, List.copyOf(ids))));
      return all;
    }

    void clear() {
      byGroup.clear();
      room = MAX_EXECUTIONS;
    }
  }
}
