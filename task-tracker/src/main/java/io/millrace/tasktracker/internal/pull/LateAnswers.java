package io.millrace.tasktracker.internal.pull;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The pulls that were given up and whose calls are still under way. Their answers may still contain
 * executions, which are then handed back.
 *
 * <p>Not thread-safe.
 */
final class LateAnswers {
  private final Set<Long> expected = new HashSet<>();
  private CompletableFuture<Void> none = CompletableFuture.completedFuture(null);

  void expect(long number) {
    if (expected.isEmpty()) {
      none = new CompletableFuture<>();
    }
    expected.add(number);
  }

  /** Records that the call of this pull has ended, with an answer or a failure. */
  void arrived(long number) {
    if (expected.remove(number) && expected.isEmpty()) {
      none.complete(null);
    }
  }

  /** Returns a future that completes when no late answer is expected. */
  CompletableFuture<Void> whenNone() {
    return none;
  }
}
