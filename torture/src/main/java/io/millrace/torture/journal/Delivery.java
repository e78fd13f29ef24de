package io.millrace.torture.journal;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * What became of a request that a client had saved, as it wrote it down.
 *
 * @param key node group and task id
 * @param at when it heard of it, in epoch milliseconds
 * @param answer FAILED if it was given up
 */
public record Delivery(String key, long at, Answer answer) {

  /** Everything that was delivered, according to these files, which need not be there. */
  public static List<Delivery> read(Collection<Path> journals) {
    return journals.stream()
        .flatMap(journal -> JournalFile.read(journal).stream())
        .filter(line -> line[0].equals(SubmitJournal.DELIVERED))
        .map(line -> new Delivery(line[2], Long.parseLong(line[1]), Answer.valueOf(line[3])))
        .toList();
  }
}
