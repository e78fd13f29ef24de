package io.millrace.torture.journal;

import io.millrace.common.time.Clock;
import java.nio.file.Path;

/** What one client process asked for, and what it was answered. Thread-safe. */
public final class SubmitJournal implements AutoCloseable {
  static final String ASKED = "asked";
  static final String ANSWERED = "answered";
  static final String DELIVERED = "delivered";

  private final JournalFile file;
  private final Clock clock;

  private SubmitJournal(JournalFile file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  /** Writes at the end of this file, which belongs to one process, and to one start of it. */
  public static SubmitJournal open(Path path, Clock clock) {
    return new SubmitJournal(JournalFile.append(path), clock);
  }

  /** The step is done now. Returns when the line is in the file. */
  public void asked(int step) {
    file.write(ASKED, clock.millis(), step);
  }

  /** The step was answered, or will not be. Returns when the line is in the file. */
  public void answered(int step, Answer answer, String words) {
    file.write(ANSWERED, clock.millis(), step, answer, words);
  }

  /** What had been saved was answered, or given up. Returns when the line is in the file. */
  public void delivered(String key, Answer answer, String words) {
    file.write(DELIVERED, clock.millis(), key, answer, words);
  }

  @Override
  public void close() {
    file.close();
  }
}
