package io.millrace.torture.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A step of an invocation that must not be repeated once it is stored.
 *
 * @param process the journal's name, which identifies the process and its start
 * @param executionId the id of the execution
 * @param at epoch milliseconds
 * @param isStored true if a tracker has acknowledged the step; false if its body began
 */
public record Charge(String process, long executionId, long at, boolean isStored) {

  /** Reads the steps from these files. */
  public static List<Charge> read(Collection<Path> journals) {
    List<Charge> charges = new ArrayList<>();
    for (Path journal : journals) {
      for (String[] line : JournalFile.read(journal)) {
        if (line[0].equals(RunJournal.CHARGED) || line[0].equals(RunJournal.STORED)) {
          charges.add(
              new Charge(
                  journal.getFileName().toString(),
                  Long.parseLong(line[2]),
                  Long.parseLong(line[1]),
                  line[0].equals(RunJournal.STORED)));
        }
      }
    }
    return charges;
  }
}
