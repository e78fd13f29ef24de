package io.millrace.torture.journal;

import io.millrace.api.Outcome;
import io.millrace.internal.time.Clock;
import io.millrace.tasktracker.JobContext;
import java.nio.file.Path;

/**
 * Records the invocations that one worker process runs: a line before and a line after each
 * invocation. Thread-safe.
 */
public final class RunJournal implements AutoCloseable {
  static final String BEGAN = "began";
  static final String ENDED = "ended";
  static final String CHARGED = "charged";
  static final String STORED = "stored";
  static final String FOUND = "found";
  static final String CHECKPOINT = "checkpoint";
  static final String REDUCED = "reduced";

  private final JournalFile file;
  private final Clock clock;

  private RunJournal(JournalFile file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  /** Opens a journal that appends to this file, which belongs to one start of one process. */
  public static RunJournal open(Path path, Clock clock) {
    return new RunJournal(JournalFile.append(path), clock);
  }

  /** Records that the invocation begins now. Returns when the line is in the file. */
  public void began(JobContext context) {
    file.write(
        BEGAN,
        clock.millis(),
        context.executionId(),
        context.nodeGroup(),
        context.taskId(),
        context.plannedFor().toEpochMilli(),
        context.attempt(),
        context.dueAt().toEpochMilli(),
        context.shard().index() + 1,
        context.shard().count());
  }

  /** Records that the invocation ended now. Returns when the line is in the file. */
  public void ended(JobContext context, Outcome outcome) {
    file.write(ENDED, clock.millis(), context.executionId(), outcome);
  }

  /**
   * Records that the body of the step begins now. Returns when the line is in the file.
   *
   * @param key the key of the step, which the body gives to those that it charges
   */
  public void charged(JobContext context, String key) {
    file.write(CHARGED, clock.millis(), context.executionId(), key);
  }

  /** Records that the step was acknowledged. Returns when the line is in the file. */
  public void stored(JobContext context) {
    file.write(STORED, clock.millis(), context.executionId());
  }

  /** Records whose checkpoint the invocation found. Returns when the line is in the file. */
  public void found(JobContext context, long executionId) {
    file.write(FOUND, clock.millis(), context.executionId(), executionId);
  }

  /** Records that the invocation makes a checkpoint now. Returns when the line is in the file. */
  public void checkpoint(JobContext context) {
    file.write(CHECKPOINT, clock.millis(), context.executionId());
  }

  /**
   * Records what a reduce found. Returns when the line is in the file.
   *
   * @param parts how many parts it found
   * @param failed how many of them did not succeed
   * @param sum of what they returned
   */
  public void reduced(JobContext context, int parts, int failed, long sum) {
    file.write(REDUCED, clock.millis(), context.executionId(), parts, failed, sum);
  }

  @Override
  public void close() {
    file.close();
  }
}
