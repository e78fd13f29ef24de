package io.millrace.torture.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a reduce found.
 *
 * @param executionId the id of its execution
 * @param parts how many parts it found
 * @param failed how many of them did not succeed
 * @param sum of what they returned
 */
public record Reduction(long executionId, int parts, int failed, long sum) {

  /** Reads what the reduces found from these files. */
  public static List<Reduction> read(Collection<Path> journals) {
    List<Reduction> reductions = new ArrayList<>();
    for (Path journal : journals) {
      for (String[] line : JournalFile.read(journal)) {
        if (line[0].equals(RunJournal.REDUCED)) {
          reductions.add(
              new Reduction(
                  Long.parseLong(line[2]),
                  Integer.parseInt(line[3]),
                  Integer.parseInt(line[4]),
                  Long.parseLong(line[5])));
        }
      }
    }
    return reductions;
  }
}
