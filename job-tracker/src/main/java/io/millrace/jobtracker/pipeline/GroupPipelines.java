package io.millrace.jobtracker.pipeline;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * One pipeline for each node group that writes. Names of groups come from peers and their number is
 * unbounded, so idle pipelines are removed whenever one is to be added to {@value #MAX_IDLE} or
 * more. A write that has just obtained a removed pipeline still goes through it, in parallel to a
 * new one. Thread-safe.
 */
public final class GroupPipelines<T, R> {
  static final int MAX_IDLE = 1_000;

  private final Function<String, WritePipeline<T, R>> pipeline;
  private final Map<String, WritePipeline<T, R>> byGroup = new ConcurrentHashMap<>();

  /**
   * Makes an empty set of pipelines.
   *
   * @param pipeline makes the pipeline of a node group
   */
  public GroupPipelines(Function<String, WritePipeline<T, R>> pipeline) {
    this.pipeline = pipeline;
  }

  /** Writes items that belong together through the pipeline of their group. */
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

  /** The number of pipelines. */
  int size() {
    return byGroup.size();
  }
}
