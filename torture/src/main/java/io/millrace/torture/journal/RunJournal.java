package io.millrace.torture.journal;

import io.millrace.tasktracker.JobContext;
import java.nio.file.Path;

/** What one worker process ran: a line before each body and one after it. Thread-safe. */
public final class RunJournal implements AutoCloseable {
  private final JournalFile file;

  private RunJournal(JournalFile file) {
    this.file = file;
  }

  /** Writes at the end of this file, which belongs to one process, and to one start of it. */
  public static RunJournal open(Path path) {
    return new RunJournal(JournalFile.append(path));
  }

  /** Returns when the line is in the file. */
  public void began(JobContext context) {
    file.write("began " + context.executionId() + " " + context.taskId());
  }

  /** Returns when the line is in the file. */
  public void ended(JobContext context) {
    file.write("ended " + context.executionId());
  }

  @Override
  public void close() {
    file.close();
  }
}
