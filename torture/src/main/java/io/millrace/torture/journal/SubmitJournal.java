package io.millrace.torture.journal;

import io.millrace.common.model.SubmitResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** What one client process asked for, and what it was answered. Thread-safe. */
public final class SubmitJournal implements AutoCloseable {
  private final JournalFile file;

  private SubmitJournal(JournalFile file) {
    this.file = file;
  }

  /** Writes at the end of this file, which belongs to one process, and to one start of it. */
  public static SubmitJournal open(Path path) {
    return new SubmitJournal(JournalFile.append(path));
  }

  /** The step is done now. Returns when the line is in the file. */
  public void asked(int step) {
    file.write("asked " + step);
  }

  /** The step was answered. */
  public void answered(int step, SubmitResult result) {
    file.write("answered " + step + " " + result);
  }

  /** The step got no answer, and will not get one. */
  public void failed(int step, Throwable why) {
    file.write("failed " + step + " " + why);
  }

  /** The steps that were begun according to these files, which need not be there. */
  public static Set<Integer> askedIn(Collection<Path> paths) {
    Set<Integer> asked = new HashSet<>();
    for (Path path : paths) {
      try {
        String text = Files.exists(path) ? Files.readString(path) : "";
        text.lines()
            .filter(line -> line.startsWith("asked "))
            .forEach(line -> asked.add(Integer.valueOf(line.substring("asked ".length()))));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return asked;
  }

  @Override
  public void close() {
    file.close();
  }
}
