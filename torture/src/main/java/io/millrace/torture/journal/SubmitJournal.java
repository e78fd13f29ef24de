package io.millrace.torture.journal;

import io.millrace.internal.time.Clock;
import java.nio.file.Path;

/** Records the requests of one client process and their results. Thread-safe. */
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

  /** Opens a journal that appends to this file, which belongs to one start of one process. */
  public static SubmitJournal open(Path path, Clock clock) {
    return new SubmitJournal(JournalFile.append(path), clock);
  }

  /** Records that the step's request is sent now. Returns when the line is in the file. */
  public void asked(int step) {
    file.write(ASKED, clock.millis(), step);
  }

  /** Records the step's result, or that none will arrive. Returns when the line is in the file. */
  public void answered(int step, Answer answer, String words) {
    file.write(ANSWERED, clock.millis(), step, answer, words);
  }

  /**
   * Records the result of a saved request, or that the client gave up. Returns when the line is in
   * the file.
   */
  public void delivered(String key, Answer answer, String words) {
    file.write(DELIVERED, clock.millis(), key, answer, words);
  }

  @Override
  public void close() {
    file.close();
  }
}
