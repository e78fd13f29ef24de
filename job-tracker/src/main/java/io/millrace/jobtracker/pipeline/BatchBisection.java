package io.millrace.jobtracker.pipeline;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Writes a batch in one piece if possible. A batch that fails is split into halves, and each half
 * that fails is split again, until an item that causes a failure is alone and only this item fails.
 * If no item can be the cause (see {@link TransientFailures#isOfAll}), the rest of the batch fails
 * at once, because each half would only wait as long again.
 */
public final class BatchBisection {
  private BatchBisection() {}

  /**
   * Writes the items in their order; an empty batch writes nothing.
   *
   * @param write writes a part of the batch in one transaction
   * @param written receives each part that was written and what {@code write} returned; what it
   *     throws ends the call, and the part is not written again
   * @param failed receives an item that failed alone, or the rest of the batch if no item can be
   *     the cause; and the failure
   * @param <T> the type of an item
   * @param <R> the type of the result of a write
   */
  public static <T, R> void write(
      List<T> batch,
      Function<List<T>, R> write,
      BiConsumer<List<T>, R> written,
      BiConsumer<List<T>, Throwable> failed) {
    Deque<List<T>> parts = new ArrayDeque<>();
    if (!batch.isEmpty()) {
      parts.push(batch);
    }
    while (!parts.isEmpty()) {
      List<T> part = parts.pop();
      R result;
      try {
        result = write.apply(part);
      } catch (RuntimeException | Error e) {
        if (TransientFailures.isOfAll(e)) {
          parts.push(part);
          failed.accept(parts.stream().flatMap(List::stream).toList(), e);
          return;
        }
        if (part.size() == 1) {
          failed.accept(part, e);
        } else {
          int half = part.size() / 2;
          parts.push(part.subList(half, part.size()));
          parts.push(part.subList(0, half));
        }
        continue;
      }
      written.accept(part, result);
    }
  }
}
