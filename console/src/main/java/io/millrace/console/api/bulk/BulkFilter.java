package io.millrace.console.api.bulk;

import io.millrace.console.api.Times;
import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a bulk change is about; a condition that is null means any. Each action takes the conditions
 * of the list that it changes.
 *
 * @param nodeGroup those of this node group
 * @param prefix those whose task id begins with this
 * @param contains recurring jobs whose task id contains this, ignoring case
 * @param handler recurring jobs and one-shots with this handler
 * @param owner recurring jobs that this owner declares
 * @param state recurring jobs in this state, ACTIVE or PAUSED
 * @param task executions of this task id; needs a node group, and cannot be combined with a worker
 * @param worker executions of this worker
 * @param from dead triggers that died at this instant or later
 * @param to dead triggers that died before this instant
 */
public record BulkFilter(
    @Nullable String nodeGroup,
    @Nullable String prefix,
    @Nullable String contains,
    @Nullable String handler,
    @Nullable String owner,
    @Nullable JobState state,
    @Nullable String task,
    @Nullable String worker,
    @Nullable Instant from,
    @Nullable Instant to) {
  static final BulkFilter NONE =
      new BulkFilter(null, null, null, null, null, null, null, null, null, null);

  /** The most characters of a condition, as in the queries of lists. */
  private static final int MOST_CHARS = 128;

  static BulkFilter of(Filter stored) {
    String state = stored.state();
    return new BulkFilter(
        stored.nodeGroup(),
        stored.prefix(),
        stored.contains(),
        stored.handler(),
        stored.owner(),
        state == null ? null : JobState.valueOf(state),
        stored.task(),
        stored.worker(),
        Times.instant(stored.from()),
        Times.instant(stored.to()));
  }

  private static List<String> conditionsOf(Action action) {
    return switch (action) {
      case PAUSE_JOBS, RESUME_JOBS, CANCEL_JOBS ->
          List.of("nodeGroup", "prefix", "contains", "handler", "owner", "state");
      case CANCEL_ONE_SHOTS -> List.of("nodeGroup", "prefix", "handler");
      case TERMINATE_EXECUTIONS -> List.of("nodeGroup", "task", "worker");
      case REPLAY_DEAD, DISCARD_DEAD -> List.of("nodeGroup", "prefix", "from", "to");
    };
  }

  /** The conditions that are set, by name. */
  private Map<String, Object> conditions() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("nodeGroup", nodeGroup);
    all.put("prefix", prefix);
    all.put("contains", contains);
    all.put("handler", handler);
    all.put("owner", owner);
    all.put("state", state);
    all.put("task", task);
    all.put("worker", worker);
    all.put("from", from);
    all.put("to", to);
    all.values().removeIf(Objects::isNull);
    return all;
  }

  /** Returns the filter as it is stored; throws a problem if the action does not know it. */
  Filter checked(Action action) {
    Map<String, Object> conditions = conditions();
    List<String> known = conditionsOf(action);
    for (String name : conditions.keySet()) {
      if (!known.contains(name)) {
        throw refused(
            "filter.%s is not for %s, which takes %s"
                .formatted(name, action, String.join(", ", known)));
      }
    }
    conditions.forEach(BulkFilter::requireShort);
    if (state != null && !state.isLive()) {
      throw refused("filter.state must be one of " + live());
    }
    if (action == Action.CANCEL_ONE_SHOTS && nodeGroup == null) {
      throw refused("filter.nodeGroup is required: each node group has a waiting queue of its own");
    }
    if (task != null && (nodeGroup == null || worker != null)) {
      throw refused("filter.task needs a nodeGroup, and cannot be combined with a worker");
    }
    return new Filter(
        nodeGroup,
        prefix,
        contains,
        handler,
        owner,
        state == null ? null : state.name(),
        task,
        worker,
        from == null ? null : (Long) Times.clampedMillis(from),
        to == null ? null : (Long) Times.clampedMillis(to));
  }

  private static String live() {
    return Arrays.stream(JobState.values())
        .filter(JobState::isLive)
        .map(JobState::name)
        .collect(Collectors.joining(", "));
  }

  private static void requireShort(String name, Object value) {
    if (value instanceof String text && (text.isEmpty() || text.length() > MOST_CHARS)) {
      throw refused("filter." + name + " must have 1 to " + MOST_CHARS + " characters");
    }
  }

  private static RuntimeException refused(String why) {
    return Kind.REJECTED.because(why);
  }
}
