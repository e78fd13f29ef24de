package io.millrace.jobtracker.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Commits items in batches, one batch at a time unless its bounds permit more. A batch that fails
 * is split by {@link BatchBisection}. The future of an item completes after the commit that
 * contains it, on the thread of the commit. Thread-safe.
 *
 * @param <T> the type of an item
 * @param <R> the type of the answer to an item
 */
public final class WritePipeline<T, R> {
  private record Item<T, R>(T value, long bytes, List<String> keys, CompletableFuture<R> answer) {}

  private final String name;
  private final Executor executor;
  private final PipelineBounds<T> bounds;
  private final Function<List<T>, List<R>> commit;
  private final Deque<Item<T, R>> waiting = new ArrayDeque<>();

  /** The committers that neither commit nor are queued at the executor. */
  private final Deque<Committer> idle = new ArrayDeque<>();

  /** The keys of the items that are being committed. */
  private final Set<String> underWay = new HashSet<>();

  /**
   * Makes a pipeline.
   *
   * @param name the name for error messages
   * @param executor runs the commits
   * @param bounds the bounds of batches and of waiting items
   * @param commit writes the items in one transaction and answers them in order
   */
  public WritePipeline(
      String name, Executor executor, PipelineBounds<T> bounds, Function<List<T>, List<R>> commit) {
    this.name = name;
    this.executor = executor;
    this.bounds = bounds;
    this.commit = commit;
    for (int i = 0; i < bounds.parallel().commits(); i++) {
      idle.add(new Committer());
    }
  }

  /** Whether no item waits and no commit is queued or under way. */
  private synchronized boolean isIdle() {
    return idle.size() == bounds.parallel().commits() && waiting.isEmpty();
  }

  /**
   * Adds an item. Its future fails with a {@link PipelineFullException} if too many items or bytes
   * wait, with the executor's exception if it rejects tasks, or with the exception of the commit.
   */
  public CompletableFuture<R> write(T value) {
    return writeAll(List.of(value)).get(0);
  }

  /**
   * Adds items that belong together. They are committed together as far as the bounds of a batch
   * allow.
   */
  public List<CompletableFuture<R>> writeAll(List<T> values) {
    List<CompletableFuture<R>> answers = new ArrayList<>(values.size());
    Committer next;
    synchronized (this) {
      for (T value : values) {
        answers.add(add(value));
      }
      next = waiting.isEmpty() ? null : idle.poll();
    }
    if (next != null) {
      next.hand();
    }
    return answers;
  }

  private CompletableFuture<R> add(T value) {
    if (waiting.size() >= bounds.maxWaiting()) {
      return CompletableFuture.failedFuture(
          new PipelineFullException(name, bounds.maxWaiting() + " writes"));
    }
    long bytes = bounds.weight().applyAsLong(value);
    if (!bounds.waitingBytes().take(bytes)) {
      return CompletableFuture.failedFuture(
          new PipelineFullException(name, bounds.waitingBytes().most() + " bytes"));
    }
    CompletableFuture<R> answer = new CompletableFuture<>();
    waiting.add(new Item<>(value, bytes, bounds.parallel().keys().apply(value), answer));
    return answer;
  }

  /** Releases the bytes of items that were committed or have failed. */
  private void leave(List<Item<T, R>> items) {
    bounds.waitingBytes().giveBack(items.stream().mapToLong(Item::bytes).sum());
  }

  /** Commits one batch after the other while items wait. */
  private final class Committer {
    /** Whether a thread runs {@link #commitNext}. */
    private boolean running;

    /**
     * Whether the executor called {@link #commitNext} again, nested or in parallel, while it was
     * running.
     */
    private boolean again;

    void hand() {
      try {
        executor.execute(this::commitNext);
      } catch (RuntimeException e) {
        List<Item<T, R>> refused;
        synchronized (WritePipeline.this) {
          refused = new ArrayList<>(waiting);
          waiting.clear();
          idle.add(this);
        }
        leave(refused);
        refused.forEach(item -> item.answer().completeExceptionally(e));
      }
    }

    /**
     * Commits in a loop instead of nested calls, so that an executor may run tasks on the calling
     * thread.
     */
    private void commitNext() {
      synchronized (this) {
        again = running;
        if (running) {
          return;
        }
        running = true;
      }
      do {
        commitOnce();
      } while (runsAgain());
    }

    private synchronized boolean runsAgain() {
      running = again;
      again = false;
      return running;
    }

    private void commitOnce() {
      List<Item<T, R>> batch = nextBatch();
      try {
        commitBatch(batch);
      } finally {
        leave(batch);
        if (hasMoreAfter(batch)) {
          hand();
        }
      }
    }

    private boolean hasMoreAfter(List<Item<T, R>> batch) {
      synchronized (WritePipeline.this) {
        batch.forEach(item -> item.keys().forEach(underWay::remove));
        // Without a batch, all waiting items share keys with another commit, and are taken after
        // it.
        boolean more = !batch.isEmpty() && !waiting.isEmpty();
        if (!more) {
          idle.add(this);
        }
        return more;
      }
    }
  }

  /**
   * Removes the next batch from the waiting items: it has at least one item, even an oversized one,
   * unless each shares a key with a commit under way. An item that stays keeps those with the same
   * key behind it.
   */
  private synchronized List<Item<T, R>> nextBatch() {
    List<Item<T, R>> batch = new ArrayList<>();
    Set<String> passedOver = new HashSet<>();
    long bytes = 0;
    for (Iterator<Item<T, R>> items = waiting.iterator();
        batch.size() < bounds.maxBatch() && items.hasNext(); ) {
      Item<T, R> item = items.next();
      if (item.keys().stream()
          .anyMatch(key -> underWay.contains(key) || passedOver.contains(key))) {
        passedOver.addAll(item.keys());
        continue;
      }
      bytes += item.bytes();
      if (!batch.isEmpty() && bytes > bounds.maxBatchBytes()) {
        break;
      }
      batch.add(item);
      items.remove();
    }
    batch.forEach(item -> underWay.addAll(item.keys()));
    return batch;
  }

  private void commitBatch(List<Item<T, R>> batch) {
    BatchBisection.write(
        batch,
        part -> commit.apply(part.stream().map(Item::value).toList()),
        this::answer,
        (part, e) -> part.forEach(item -> item.answer().completeExceptionally(e)));
  }

  /**
   * Completes the futures of committed items. These items must not be written again, even if the
   * number of answers is wrong.
   */
  private void answer(List<Item<T, R>> batch, List<R> answers) {
    if (answers.size() != batch.size()) {
      IllegalStateException wrong =
          new IllegalStateException(
              name
                  + ": "
                  + batch.size()
                  + " items were committed, "
                  + answers.size()
                  + " answered");
      batch.forEach(item -> item.answer().completeExceptionally(wrong));
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).answer().complete(answers.get(i));
    }
  }

  /**
   * One pipeline for each node group that writes. Names of groups come from peers and their number
   * is unbounded, so idle pipelines are removed whenever one is to be added to {@value #MAX_IDLE}
   * or more. A write that has just obtained a removed pipeline still goes through it, in parallel
   * to a new one. Thread-safe.
   *
   * @param <T> the type of an item
   * @param <R> the type of the answer to an item
   */
  public static final class PerGroup<T, R> {
    static final int MAX_IDLE = 1_000;

    private final Function<String, WritePipeline<T, R>> pipeline;
    private final Map<String, WritePipeline<T, R>> byGroup = new ConcurrentHashMap<>();

    /**
     * Makes an empty set of pipelines.
     *
     * @param name precedes the name of the node group in error messages
     * @param executor runs the commits
     * @param bounds the bounds of each pipeline
     * @param commit writes items of a node group in one transaction and answers them in order
     */
    public PerGroup(
        String name,
        Executor executor,
        PipelineBounds<T> bounds,
        BiFunction<String, List<T>, List<R>> commit) {
      this.pipeline =
          group ->
              new WritePipeline<>(
                  name + " " + group, executor, bounds, items -> commit.apply(group, items));
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
}
