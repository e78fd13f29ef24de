package io.millrace.tasktracker;

import io.millrace.common.outbox.Outbox;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.time.Clock;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who a worker is to trackers.
 *
 * @param id its node id. A tracker takes a result from the worker alone that it gave the execution
 *     to, so a worker whose results outlive its process keeps its id as well
 * @param process tells this process from earlier ones of the same id, see {@link
 *     PullRequest#processOf}; 0 if there are none
 */
record WorkerIdentity(String id, long process) {
  private static final String ID = "node id";
  private static final String GROUP = "node group";
  private static final String PROCESS = "process";

  /** Process numbers count hundredths of a second, so that they rise without being stored. */
  private static final long PROCESS_MILLIS = 10;

  /** Of a worker that keeps nothing and is given no id: new each time. */
  static WorkerIdentity random() {
    return new WorkerIdentity(UUID.randomUUID().toString(), 0);
  }

  /** Of a worker that keeps nothing but is given an id, perhaps the same each time. */
  static WorkerIdentity given(String id, Clock clock) {
    return new WorkerIdentity(id, processByClock(clock));
  }

  /**
   * Of a worker that keeps its results: the id that it had before, and a process number above those
   * it had before. The outbox remembers both.
   *
   * @param id the id it is given; null for the one in the outbox, or a random one at first
   * @throws IllegalArgumentException if the outbox is that of another worker
   */
  static WorkerIdentity kept(Outbox outbox, @Nullable String id, String nodeGroup, Clock clock) {
    String before = outbox.property(ID).orElse(null);
    String groupBefore = outbox.property(GROUP).orElse(null);
    String now = id != null ? id : before != null ? before : random().id();
    if ((before != null && !before.equals(now))
        || (groupBefore != null && !groupBefore.equals(nodeGroup))) {
      throw new IllegalArgumentException(
          ("the outbox %s belongs to worker %s of node group %s; worker %s of node group %s needs"
                  + " one of its own")
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
