package io.millrace.torture.journal;

import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import java.nio.file.Path;

/** Records the replays that are requested from one tracker process, and its answers. */
public final class ReplayJournal implements AutoCloseable {
  static final String NONE = "none";

  private final JournalFile file;
  private final Clock clock;

  private ReplayJournal(JournalFile file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  /** Opens a journal that appends to this file, which belongs to one start of one process. */
  public static ReplayJournal open(Path path, Clock clock) {
    return new ReplayJournal(JournalFile.append(path), clock);
  }

  /** Records the answer to a request. Returns when the line is in the file. */
  public void answered(long deadId, ReplayResult result) {
    Long replayId = result.replayId();
    file.write(
        clock.millis(),
        deadId,
        result.status(),
        replayId == null ? NONE : replayId,
        result.message());
  }

  @Override
  public void close() {
    file.close();
  }
}
