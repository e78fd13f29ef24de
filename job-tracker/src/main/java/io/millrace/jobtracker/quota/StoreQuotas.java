package io.millrace.jobtracker.quota;

import io.millrace.jobtracker.store.NodeGroupStore;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether there is room for more waiting jobs and for more lines of job logs. No rows are
 * counted: a timer reads the sizes of tables, and the bytes that this tracker stores in between are
 * added. Several trackers together may exceed a bound by what they store between two readings.
 * Thread-safe.
 */
public final class StoreQuotas {
  private static final String JOB_LOG_TABLE = "jt_job_log";
  private static final String JOB_TABLE = "jt_job";

  /** The approximate size of a row without its parameters. */
  private static final long ROW_BYTES = 300;

  private final NodeGroupStore tables;
  private final QuotaConfig config;
  private volatile Sizes sizes = new Sizes(Map.of(), 0, 0);

  /** The sizes at the last reading, and the bytes stored since. */
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

  /** Reads the sizes again; returns a message about an overall bound that is reached, or null. */
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

  /** The reason why no more jobs of this group may wait; null if there is room. */
  public @Nullable String faultOfWaiting(String nodeGroup) {
    Sizes now = sizes;
    if (now.waitingOf(nodeGroup) >= config.waitingBytesOfGroup()) {
      return "the waiting triggers of node group "
          + nodeGroup
          + " have "
          + mebibytes(now.waitingOf(nodeGroup))
          + ", which is the limit (waiting.max-bytes-of-group)";
    }
    return now.waitingOfAll() < config.waitingBytes()
        ? null
        : "the waiting triggers of all node groups have "
            + mebibytes(now.waitingOfAll())
            + ", which is the limit (waiting.max-bytes)";
  }

  /** Records that jobs were stored, with the total bytes of their parameters. */
  public void waitingStored(String nodeGroup, int jobs, long paramsBytes) {
    Sizes now = sizes;
    long bytes = jobs * ROW_BYTES + paramsBytes;
    now.stored().add(bytes);
    now.storedByGroup().computeIfAbsent(nodeGroup, unused -> new LongAdder()).add(bytes);
  }

  /** The reason why no more lines of job logs may be stored; null if there is room. */
  public @Nullable String faultOfJobLog() {
    return sizes.jobLogOfAll() < config.jobLogBytes() ? null : jobLogFault();
  }

  private String jobLogFault() {
    return "job logs have "
        + mebibytes(sizes.jobLogOfAll())
        + ", which is the limit (job-log.max-bytes)";
  }

  /** Records that lines of job logs were stored. */
  public void logged(long bytes) {
    sizes.logged().add(bytes);
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }
}
