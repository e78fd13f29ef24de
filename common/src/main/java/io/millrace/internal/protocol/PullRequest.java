package io.millrace.internal.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's pull, sent about every second: asks for work, and renews the leases of the held
 * executions. Sent also without a free slot.
 *
 * @param number rises with every pull, across restarts too; its upper bits identify the process
 *     among those of the same node id, see {@link #processOf}
 * @param slots slots newly reserved for this pull; with 0 the pull is a heartbeat and is answered
 *     at once
 * @param openPulls numbers of earlier pulls whose answer the worker still waits for; an earlier
 *     pull that is missing was answered or given up, and the worker starts nothing from a later
 *     answer to it
 * @param held executions received whose result is not yet acknowledged
 * @param aliveMillis age of the worker's process; null means unknown. An execution claimed for the
 *     worker within this time cannot belong to an earlier process
 * @param workerSlots how many executions the worker runs at once, for people to read; null means
 *     unknown
 * @param begun number of those of {@code held} that have a slot or wait in the worker for one, and
 *     have not ended; null means unknown
 * @param progress how far held executions have come; null means no news
 * @param features what the worker knows beyond plain jobs, each a {@link #isFeature name}; a
 *     tracker ignores those that it does not know; null means nothing
 * @param labels what jobs may require of the worker; null means nothing
 */
public record PullRequest(
    long number,
    int slots,
    List<Long> openPulls,
    List<Long> held,
    @Nullable Long aliveMillis,
    @Nullable Integer workerSlots,
    @Nullable Integer begun,
    @Nullable List<ExecutionProgress> progress,
    @Nullable List<String> features,
    @Nullable List<String> labels)
    implements Request<PullReply> {
  /** The feature of a worker that knows parts of runs: it tells handlers which one they do. */
  public static final String PARTS = "parts";

  /** The most features that a worker may name. */
  public static final int MAX_FEATURES = 16;

  private static final int COUNT_BITS = 24;
  private static final int MAX_FEATURE_CHARS = 32;

  public PullRequest {
    openPulls = List.copyOf(openPulls);
    held = List.copyOf(held);
    progress = progress == null ? null : List.copyOf(progress);
    features = features == null ? null : List.copyOf(features);
    labels = labels == null ? null : List.copyOf(labels);
  }

  /** A pull of a worker that knows plain jobs only, without news of progress. */
  public PullRequest(
      long number,
      int slots,
      List<Long> openPulls,
      List<Long> held,
      @Nullable Long aliveMillis,
      @Nullable Integer workerSlots,
      @Nullable Integer begun) {
    this(number, slots, openPulls, held, aliveMillis, workerSlots, begun, null, null, null);
  }

  /** A pull without data about the worker itself. */
  public PullRequest(long number, int slots, List<Long> openPulls, List<Long> held) {
    this(number, slots, openPulls, held, null, null, null);
  }

  /** The same pull with news of progress. */
  public PullRequest with(List<ExecutionProgress> news) {
    return new PullRequest(
        number, slots, openPulls, held, aliveMillis, workerSlots, begun, news, features, labels);
  }

  /** Whether this is the name of a feature: 1 to 32 small letters, digits and hyphens. */
  public static boolean isFeature(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_FEATURE_CHARS
        && name.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'));
  }

  /**
   * The number of the process that sent a pull, from the pull's number. A worker that keeps its
   * node id across restarts starts counting after {@link #before} of a process number that no
   * earlier process of this node id used. 0 means that no other process ever has the node id.
   */
  public static long processOf(long number) {
    return number >>> COUNT_BITS;
  }

  /** The number before that of the first pull of a process. */
  public static long before(long process) {
    return process << COUNT_BITS;
  }
}
