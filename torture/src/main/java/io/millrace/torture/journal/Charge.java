package io.millrace.torture.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of an invocation that must not be repeated once it is stored.
 *
 * @param process the journal's name, which identifies the process and its start
 * @param executionId the id of the execution
 * @param at epoch milliseconds
 * @param key the key of the step, if its body began; null if a tracker has acknowledged the step
 */
public record Charge(String process, long executionId, long at, @Nullable String key) {

  /** Returns whether a tracker has acknowledged the step; otherwise its body began. */
  public boolean isStored() {
    return key == null;
  }

  /** Reads the steps from these files. */
  public static List<Charge> read(Collection<Path> journals) {
    List<Charge> charges = new ArrayList<>();
    for (Path journal : journals) {
      for (String[] line : JournalFile.read(journal)) {
        boolean isStored = line[0].equals(RunJournal.STORED);
        if (isStored || line[0].equals(RunJournal.CHARGED)) {
          charges.add(
              new Charge(
                  journal.getFileName().toString(),
                  Long.parseLong(line[2]),
                  Long.parseLong(line[1]),
                  isStored ? null : line[3]));
        }
      }
    }
    return charges;
  }
}
