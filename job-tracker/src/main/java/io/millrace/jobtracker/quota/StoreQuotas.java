package io.millrace.jobtracker.quota;

import io.millrace.jobtracker.store.NodeGroupStore;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether there is room for more waiting jobs, lines of job logs, kept values and results.
 * No rows are counted: a timer reads the sizes of tables, and the bytes that this tracker stores in
 * between are added. Several trackers together may exceed a bound by what they store between two
 * readings. Thread-safe.
 */
public final class StoreQuotas {
  private static final String JOB_LOG_TABLE = "jt_job_log";
  private static final String JOB_TABLE = "jt_job";
  private static final String KEPT_TABLE = "jt_kept";
  private static final String RESULT_TABLE = "jt_result";

  /** The approximate size of a row without its parameters. */
  private static final long ROW_BYTES = 300;

  private final NodeGroupStore tables;
  private final QuotaConfig config;
  private volatile Sizes sizes = new Sizes(Map.of(), 0, Map.of());

  /** The size of a table at the last reading, and the bytes stored since. */
  private record Size(long read, LongAdder since) {

    static Size of(Map<String, Long> bytes, String table) {
      return new Size(bytes.getOrDefault(table, 0L), new LongAdder());
    }

    long sum() {
      return read + since.sum();
    }
  }

  /** The sizes at the last reading, and the bytes stored since. */
  private record Sizes(
      Map<String, Long> waitingByGroup,
      Map<String, LongAdder> storedByGroup,
      Size waiting,
      Size jobLog,
      Size kept,
      Size results) {

    Sizes(Map<String, Long> waitingByGroup, long waiting, Map<String, Long> bytes) {
      this(
          waitingByGroup,
          new ConcurrentHashMap<>(),
          new Size(waiting, new LongAdder()),
          Size.of(bytes, JOB_LOG_TABLE),
          Size.of(bytes, KEPT_TABLE),
          Size.of(bytes, RESULT_TABLE));
    }

    long waitingOf(String nodeGroup) {
      LongAdder since = storedByGroup.get(nodeGroup);
      return waitingByGroup.getOrDefault(nodeGroup, 0L) + (since == null ? 0 : since.sum());
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
    sizes = new Sizes(Map.copyOf(byGroup), waiting, bytes);
    return Stream.of(faultOfJobLog(), faultOfWaiting(""), faultOfKept(), faultOfResults())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** The reason why no more jobs of this group may wait; null if there is room. */
  public @Nullable String faultOfWaiting(String nodeGroup) {
    Sizes now = sizes;
    String ofGroup =
        fault(
            "the waiting triggers of node group " + nodeGroup,
            now.waitingOf(nodeGroup),
            config.waitingBytesOfGroup(),
            "waiting.max-bytes-of-group");
    return ofGroup == null
        ? fault(
            "the waiting triggers of all node groups",
            now.waiting().sum(),
            config.waitingBytes(),
            "waiting.max-bytes")
        : ofGroup;
  }

  /** Records that jobs were stored, with the total bytes of their parameters. */
  public void waitingStored(String nodeGroup, int jobs, long paramsBytes) {
    Sizes now = sizes;
    long bytes = jobs * ROW_BYTES + paramsBytes;
    now.waiting().since().add(bytes);
    now.storedByGroup().computeIfAbsent(nodeGroup, unused -> new LongAdder()).add(bytes);
  }

  /** The reason why no more lines of job logs may be stored; null if there is room. */
  public @Nullable String faultOfJobLog() {
    return fault("job logs", sizes.jobLog().sum(), config.jobLogBytes(), "job-log.max-bytes");
  }

  /** Records that lines of job logs were stored. */
  public void logged(long bytes) {
    sizes.jobLog().since().add(bytes);
  }

  /** The reason why no more runs may begin to keep values; null if there is room. */
  public @Nullable String faultOfKept() {
    return fault(
        "the values that runs keep", sizes.kept().sum(), config.keptBytes(), "kept.max-bytes");
  }

  /** Records that a value of a run was stored. */
  public void keptStored(long bytes) {
    sizes.kept().since().add(ROW_BYTES + bytes);
  }

  /** The reason why no more results may be stored; null if there is room. */
  public @Nullable String faultOfResults() {
    return fault(
        "the results of jobs", sizes.results().sum(), config.resultBytes(), "results.max-bytes");
  }

  /** Records that a result was stored. */
  public void resultStored(long bytes) {
    sizes.results().since().add(ROW_BYTES + bytes);
  }

  private static @Nullable String fault(String what, long bytes, long most, String key) {
    return bytes < most
        ? null
        : "%s have %d MiB, which is the limit (%s)".formatted(what, bytes >> 20, key);
  }
}
