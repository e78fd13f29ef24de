package io.millrace.jobtracker.pipeline;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A pipeline for each node group that writes. Names of groups come from peers and are without
 * number, so of more than {@value #MAX_IDLE} those that write nothing are forgotten. A write that
 * meets one in that moment goes through it all the same, beside a new one. Thread-safe.
 */
public final class GroupPipelines<T, R> {
  static final int MAX_IDLE = 1_000;

  private final Function<String, WritePipeline<T, R>> pipeline;
  private final Map<String, WritePipeline<T, R>> byGroup = new ConcurrentHashMap<>();

  /**
   * @param pipeline makes the pipeline of a node group
   */
  public GroupPipelines(Function<String, WritePipeline<T, R>> pipeline) {
    this.pipeline = pipeline;
  }

  /** Writes what belongs together through the pipeline of its group. */
  public List<CompletableFuture<R>> writeAll(String nodeGroup, List<T> values) {
    return of(nodeGroup).writeAll(values);
  }

  private WritePipeline<T, R> of(String nodeGroup) {
    WritePipeline<T, R> known = byGroup.get(nodeGroup);
    if (known != null) {
      return known;
    }
    if (byGroup.size() >= MAX_IDLE) {
      byGroup.values().removeIf(WritePipeline::isIdle);
    }
    return byGroup.computeIfAbsent(nodeGroup, pipeline);
  }

  /** How many there are. */
  int size() {
    return byGroup.size();
  }
}
