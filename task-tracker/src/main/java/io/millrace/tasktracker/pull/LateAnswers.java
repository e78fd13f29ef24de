package io.millrace.tasktracker.pull;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Pulls that were given up and whose calls are still under way, so that their answers may yet bring
 * work that has to be handed back.
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

  /** The call of this pull has ended, in whatever way. */
  void arrived(long number) {
    if (expected.remove(number) && expected.isEmpty()) {
      none.complete(null);
    }
  }

  /** Completes when none is expected. */
  CompletableFuture<Void> whenNone() {
    return none;
  }
}
