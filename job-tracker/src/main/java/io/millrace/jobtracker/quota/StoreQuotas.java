package io.millrace.jobtracker.quota;

import io.millrace.jobtracker.store.NodeGroupStore;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is room for more jobs that wait, and for more lines of job logs. No rows are
 * counted for it: a timer reads the sizes of tables, and what this tracker stores in between is
 * added. Trackers beside one another may pass a bound by what they store between two looks.
 * Thread-safe.
 */
public final class StoreQuotas {
  private static final String JOB_LOG_TABLE = "jt_job_log";
  private static final String JOB_TABLE = "jt_job";

  /** What a row takes besides its parameters, about. */
  private static final long ROW_BYTES = 300;

  private final NodeGroupStore tables;
  private final QuotaConfig config;
  private volatile Sizes sizes = new Sizes(Map.of(), 0, 0);

  /** Sizes at the last look, and what was stored since. */
  private record Sizes(
      Map<String, Long> waitingByGroup,
      long waiting,
      long jobLog,
      Map<String, LongAdder> storedByGroup,
      LongAdder stored,
      LongAdder logged) {

    Sizes(Map<String, Long> waitingByGroup, long waiting, long jobLog) {
      this(
          waitingByGroup,
          waiting,
          jobLog,
          new ConcurrentHashMap<>(),
          new LongAdder(),
          new LongAdder());
    }

    long waitingOf(String nodeGroup) {
      LongAdder since = storedByGroup.get(nodeGroup);
      return waitingByGroup.getOrDefault(nodeGroup, 0L) + (since == null ? 0 : since.sum());
    }

    long waitingOfAll() {
      return waiting + stored.sum();
    }

    long jobLogOfAll() {
      return jobLog + logged.sum();
    }
  }

  public StoreQuotas(NodeGroupStore tables, QuotaConfig config) {
    this.tables = tables;
    this.config = config;
  }

  public QuotaConfig config() {
    return config;
  }

  /** Reads the sizes anew; returns what is full over all, or null. */
  public @Nullable String runOnce() {
    Map<String, Long> bytes = tables.tableBytes();
    Map<String, Long> byGroup = new HashMap<>();
    long waiting = bytes.getOrDefault(JOB_TABLE, 0L);
    for (NodeGroupStore.NodeGroup group : tables.all()) {
      long ofGroup = bytes.getOrDefault(group.tableName().toLowerCase(Locale.ROOT), 0L);
      byGroup.put(group.name(), ofGroup);
      waiting += ofGroup;
    }
    sizes = new Sizes(Map.copyOf(byGroup), waiting, bytes.getOrDefault(JOB_LOG_TABLE, 0L));
    String full = faultOfJobLog();
    return full == null ? faultOfWaiting("") : full;
  }

  /** Why no more jobs of this group may wait; null if there is room. */
  public @Nullable String faultOfWaiting(String nodeGroup) {
    Sizes now = sizes;
    if (now.waitingOf(nodeGroup) >= config.waitingBytesOfGroup()) {
      return "what waits in node group "
          + nodeGroup
          + " takes "
          + mebibytes(now.waitingOf(nodeGroup))
          + ", as much as may wait (waiting.max-bytes-of-group)";
    }
    return now.waitingOfAll() < config.waitingBytes()
        ? null
        : "what waits in all node groups takes "
            + mebibytes(now.waitingOfAll())
            + ", as much as may wait (waiting.max-bytes)";
  }

  /** Notes that jobs were stored, with so many bytes of parameters together. */
  public void waitingStored(String nodeGroup, int jobs, long paramsBytes) {
    Sizes now = sizes;
    long bytes = jobs * ROW_BYTES + paramsBytes;
    now.stored().add(bytes);
    now.storedByGroup().computeIfAbsent(nodeGroup, unused -> new LongAdder()).add(bytes);
  }

  /** Why no more lines of job logs may be stored; null if there is room. */
  public @Nullable String faultOfJobLog() {
    return sizes.jobLogOfAll() < config.jobLogBytes() ? null : jobLogFault();
  }

  private String jobLogFault() {
    return "job logs take "
        + mebibytes(sizes.jobLogOfAll())
        + ", as much as they may (job-log.max-bytes)";
  }

  /** Notes that lines were stored. */
  public void logged(long bytes) {
    sizes.logged().add(bytes);
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }
}
