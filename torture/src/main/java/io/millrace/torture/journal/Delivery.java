package io.millrace.torture.journal;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * The result of a request that a client had saved, as recorded in its journal.
 *
 * @param key node group and task id
 * @param at when the client received the result, in epoch milliseconds
 * @param answer the result; FAILED if the client gave up
 */
public record Delivery(String key, long at, Answer answer) {

  /** Reads all deliveries from these files; missing files are ignored. */
  public static List<Delivery> read(Collection<Path> journals) {
    return journals.stream()
        .flatMap(journal -> JournalFile.read(journal).stream())
        .filter(line -> line[0].equals(SubmitJournal.DELIVERED))
        .map(line -> new Delivery(line[2], Long.parseLong(line[1]), Answer.valueOf(line[3])))
        .toList();
  }
}
