package io.millrace.jobtracker.cluster;

import io.millrace.api.RetryPolicy;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.List;

/** What an invocation does, and what the ledger must say of it: status and attempt of each row. */
enum Behaviour {
  SUCCEED("SUCCEEDED 1"),
  THROW_ONCE("RETRIED 1", "SUCCEEDED 2"),
  POSTPONE_ONCE("POSTPONED 1", "SUCCEEDED 1"),
  FAIL("FAILED 1"),
  THROW_ALWAYS("RETRIED 1", "RETRIED 2", "DEAD 3"),
  THROW_WHAT_IS_NOT_RETRIED("DEAD 1");

  static final RetryPolicy RETRY =
      RetryPolicy.retries(2)
          .withDelays(Duration.ofMillis(50), Duration.ofMillis(200))
          .notOn(UnsupportedOperationException.class);

  private final List<String> ledger;

  Behaviour(String... ledger) {
    this.ledger = List.of(ledger);
  }

  List<String> ledger() {
    return ledger;
  }

  /**
   * @param times how often this trigger has begun so far, this time included
   */
  Result behave(JobContext context, int times) {
    return switch (this) {
      case SUCCEED -> Result.success();
      case THROW_ONCE -> times == 1 ? fail("not yet") : Result.success();
      case POSTPONE_ONCE ->
          times == 1 ? Result.later(Duration.ofMillis(100)) : Result.success("at last");
      case FAIL -> Result.failed("no use");
      case THROW_ALWAYS -> fail("attempt " + context.attempt());
      case THROW_WHAT_IS_NOT_RETRIED -> throw new UnsupportedOperationException("never");
    };
  }

  private static Result fail(String message) {
    throw new IllegalStateException(message);
  }
}
