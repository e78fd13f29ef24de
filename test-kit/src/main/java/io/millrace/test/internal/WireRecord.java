package io.millrace.test.internal;

import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What workers were given and what they reported. Thread-safe. */
public final class WireRecord {
  /** An execution that a worker was given. */
  public record Given(String workerId, Assignment assignment) {}

  private final Map<Long, Given> given = new LinkedHashMap<>();
  private final Map<Long, ExecutionResult> results = new LinkedHashMap<>();
  private final Set<Long> underWay = new LinkedHashSet<>();
  private final Deque<ExecutionResult> unusual = new ArrayDeque<>();
  private final Set<String> servedGroups = new LinkedHashSet<>();

  synchronized void serves(String nodeGroup) {
    servedGroups.add(nodeGroup);
  }

  /** Returns the node groups that have had a worker. */
  public synchronized Set<String> servedGroups() {
    return Set.copyOf(servedGroups);
  }

  synchronized void given(String workerId, Collection<Assignment> assignments) {
    for (Assignment assignment : assignments) {
      given.put(assignment.executionId(), new Given(workerId, assignment));
      underWay.add(assignment.executionId());
    }
  }

  synchronized void reported(Collection<ExecutionResult> reported) {
    for (ExecutionResult result : reported) {
      underWay.remove(result.executionId());
      if (results.put(result.executionId(), result) == null && isUnusual(result)) {
        unusual.add(result);
      }
    }
  }

  private static boolean isUnusual(ExecutionResult result) {
    return result.outcome() == Outcome.UNKNOWN_HANDLER
        || result.exceptionTypes().contains(AssertionError.class.getName());
  }

  synchronized boolean isAnyUnderWay() {
    return !underWay.isEmpty();
  }

  /** Takes the first report of an unknown handler or a failed assertion; null if there is none. */
  public synchronized @Nullable ExecutionResult takeUnusual() {
    return unusual.poll();
  }

  public synchronized @Nullable Given given(long executionId) {
    return given.get(executionId);
  }

  public synchronized @Nullable ExecutionResult result(long executionId) {
    return results.get(executionId);
  }

  /** Returns what workers were given of a job, in order. */
  public synchronized List<Given> givenOf(String nodeGroup, String taskId) {
    return given.values().stream()
        .filter(each -> each.assignment().nodeGroup().equals(nodeGroup))
        .filter(each -> each.assignment().taskId().equals(taskId))
        .toList();
  }
}
