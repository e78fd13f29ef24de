package io.millrace.tasktracker.internal.report;

import io.millrace.internal.codec.CodecException;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.ExecutionResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts results to entries of the outbox and back: the wire format, with the execution id as the
 * key. Thread-safe.
 */
final class ResultForm {
  private static final Logger LOG = LoggerFactory.getLogger(ResultForm.class);

  private final JsonCodec codec = new JsonCodec();

  Outbox.NewEntry encode(ExecutionResult result) {
    return new Outbox.NewEntry(Long.toString(result.executionId()), codec.encode(result));
  }

  /** Decodes an entry. Logs an error and returns null if the entry is not a result. */
  @Nullable ExecutionResult decode(Outbox.Entry entry) {
    try {
      return codec.decode(entry.body(), ExecutionResult.class);
    } catch (CodecException failure) {
      LOG.error(
          "report: dropped an unreadable result of execution {} in the outbox",
          entry.key(),
          failure);
      return null;
    }
  }

  /** Returns the executions of entries that were too old, and logs them as an error. */
  List<Long> givenUp(List<Outbox.Entry> expired, Duration maxAge) {
    List<Long> executionIds = expired.stream().map(entry -> Long.parseLong(entry.key())).toList();
    if (!executionIds.isEmpty()) {
      LOG.error(
          "report: results that have waited for more than {} are given up, of executions {}",
          maxAge,
          executionIds);
    }
    return executionIds;
  }
}
