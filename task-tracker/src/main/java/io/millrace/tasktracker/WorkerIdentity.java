package io.millrace.tasktracker;

import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.time.Clock;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a worker towards trackers.
 *
 * @param id the node id. A tracker accepts a result only from the worker to which it assigned the
 *     execution, so a worker whose results outlive its process also keeps its id
 * @param process distinguishes this process from earlier ones with the same id, see {@link
 *     PullRequest#processOf}; 0 if no earlier process has the id
 */
record WorkerIdentity(String id, long process) {
  private static final String ID = "node id";
  private static final String GROUP = "node group";
  private static final String PROCESS = "process";

  /**
   * The unit of process numbers. They count hundredths of a second, so that they rise without being
   * stored.
   */
  private static final long PROCESS_MILLIS = 10;

  /** Returns a new random identity, for a worker without an outbox and without a configured id. */
  static WorkerIdentity random() {
    return new WorkerIdentity(UUID.randomUUID().toString(), 0);
  }

  /**
   * Returns the identity of a worker without an outbox but with a configured id, which may be the
   * same after a restart.
   */
  static WorkerIdentity given(String id, Clock clock) {
    return new WorkerIdentity(id, processByClock(clock));
  }

  /**
   * Returns the identity of a worker with an outbox: its earlier id, and a process number above all
   * earlier ones. The outbox stores both.
   *
   * @param id the configured id; null for the one in the outbox, or for a random one if the outbox
   *     is new
   * @throws IllegalArgumentException if the outbox belongs to another worker
   */
  static WorkerIdentity kept(Outbox outbox, @Nullable String id, String nodeGroup, Clock clock) {
    String before = outbox.property(ID).orElse(null);
    String groupBefore = outbox.property(GROUP).orElse(null);
    String now = id != null ? id : before != null ? before : random().id();
    if ((before != null && !before.equals(now))
        || (groupBefore != null && !groupBefore.equals(nodeGroup))) {
      throw new IllegalArgumentException(
          ("the outbox %s belongs to worker %s of node group %s; worker %s of node group"
                  + " %s needs its own outbox")
              .formatted(
                  outbox.config().directory().toAbsolutePath(),
                  before,
                  groupBefore,
                  now,
                  nodeGroup));
    }
    long processBefore = outbox.property(PROCESS).map(Long::parseLong).orElse(0L);
    long process = Math.max(processBefore + 1, processByClock(clock));
    outbox.setProperties(Map.of(ID, now, GROUP, nodeGroup, PROCESS, Long.toString(process)));
    return new WorkerIdentity(now, process);
  }

  private static long processByClock(Clock clock) {
    return Math.max(1, clock.millis() / PROCESS_MILLIS);
  }
}
