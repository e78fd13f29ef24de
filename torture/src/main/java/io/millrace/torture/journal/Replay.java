package io.millrace.torture.journal;

import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tracker's answer to the request to replay a dead trigger.
 *
 * @param process the journal's name, which identifies the process and its start
 * @param deadId the dead trigger, by its last execution
 * @param at when the answer arrived, in epoch milliseconds
 * @param status the answer
 * @param replayId the first waiting row of the replay; null if there is none
 */
public record Replay(String process, long deadId, long at, Status status, @Nullable Long replayId) {

  /** Reads the answers from these files; missing files are ignored. */
  public static List<Replay> read(Collection<Path> journals) {
    return journals.stream()
        .flatMap(
            journal ->
                JournalFile.read(journal).stream()
                    .map(line -> replay(journal.getFileName().toString(), line)))
        .toList();
  }

  private static Replay replay(String process, String[] line) {
    return new Replay(
        process,
        Long.parseLong(line[1]),
        Long.parseLong(line[0]),
        Status.valueOf(line[2]),
        line[3].equals(ReplayJournal.NONE) ? null : Long.valueOf(line[3]));
  }
}
