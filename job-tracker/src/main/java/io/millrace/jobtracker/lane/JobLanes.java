package io.millrace.jobtracker.lane;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.lane.LaneStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the lane of a job, by what it requires of workers, and stores a lane that is new. A lane
 * never changes, so those that were read once are kept in memory: a job that requires nothing, or
 * what others required before, costs no statement. Thread-safe.
 */
public final class JobLanes {
  private final LaneStore store;
  private final Map<String, List<Lane>> known = new ConcurrentHashMap<>();

  public JobLanes(LaneStore store) {
    this.store = store;
  }

  /** A job requires a set of labels that its node group has no room for. */
  public static final class TooManyLanesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TooManyLanesException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Returns the job in its lane. Not to be called in a transaction; the node group exists.
   *
   * @throws TooManyLanesException if the lane would be new, and there are too many
   */
  public TriggerSpec place(String group, TriggerSpec job) {
    Lane wanted = job.lane();
    return wanted == null ? job : job.in(find(group, wanted.labels()));
  }

  /**
   * Returns the lane for parts that a run makes which was not known to make any: that of workers
   * that have what the run requires, and know parts. If it would be new and there are too many, it
   * is that of the run: a claim gives no part to a worker that does not know parts. Not to be
   * called in a transaction.
   */
  public Lane ofParts(String group, Lane run) {
    if (run.isForParts()) {
      return run;
    }
    try {
      return find(
          group, Stream.concat(run.labels().stream(), Stream.of(Lane.PARTS)).sorted().toList());
    } catch (TooManyLanesException e) {
      return run;
    }
  }

  private Lane find(String group, List<String> labels) {
    Optional<Lane> found = among(known.getOrDefault(group, List.of()), labels);
    while (found.isEmpty()) {
      List<Lane> stored = store.find(group);
      known.put(group, stored);
      found = among(stored, labels).or(() -> add(group, stored, labels));
    }
    return found.get();
  }

  private static Optional<Lane> among(List<Lane> lanes, List<String> labels) {
    return lanes.stream().filter(lane -> lane.labels().equals(labels)).findFirst();
  }

  /** Returns empty if another lane was stored meanwhile. */
  private Optional<Lane> add(String group, List<Lane> stored, List<String> labels) {
    if (stored.size() >= Lane.MOST) {
      throw new TooManyLanesException(
          "jobs of node group %s require %d different sets of labels already, and %s would be one more: %s"
              .formatted(
                  group,
                  stored.size(),
                  describe(labels),
                  stored.stream()
                      .map(lane -> describe(lane.labels()))
                      .collect(Collectors.joining("; "))));
    }
    int highest = stored.isEmpty() ? 0 : stored.get(stored.size() - 1).number();
    Lane added = new Lane(highest + 1, labels);
    try {
      store.insert(group, added);
      return Optional.of(added);
    } catch (DuplicateKeyException another) {
      return Optional.empty();
    }
  }

  private static String describe(List<String> labels) {
    return labels.stream()
        .map(label -> label.equals(Lane.PARTS) ? "runs that are split" : label)
        .collect(Collectors.joining(", "));
  }
}
