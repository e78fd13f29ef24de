package io.millrace.torture.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint that an invocation made, or one that it found.
 *
 * @param process the journal's name, which identifies the process and its start
 * @param executionId the id of the execution
 * @param at epoch milliseconds
 * @param found the execution whose checkpoint it found; null if it made its own
 */
public record Checkpoint(String process, long executionId, long at, @Nullable Long found) {

  /** Reads the checkpoints from these files. */
  public static List<Checkpoint> read(Collection<Path> journals) {
    List<Checkpoint> checkpoints = new ArrayList<>();
    for (Path journal : journals) {
      for (String[] line : JournalFile.read(journal)) {
        boolean isFound = line[0].equals(RunJournal.FOUND);
        if (isFound || line[0].equals(RunJournal.CHECKPOINT)) {
          checkpoints.add(
              new Checkpoint(
                  journal.getFileName().toString(),
                  Long.parseLong(line[2]),
                  Long.parseLong(line[1]),
                  isFound ? Long.valueOf(line[3]) : null));
        }
      }
    }
    return checkpoints;
  }
}
