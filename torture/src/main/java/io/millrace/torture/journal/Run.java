package io.millrace.torture.journal;

import io.millrace.common.model.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One body that began, as its worker wrote it down. Times are epoch milliseconds.
 *
 * @param process which start of which process it was in: the name of its journal
 * @param executionId the attempt
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedFor the instant of the schedule
 * @param attempt from 1
 * @param dueAt when the worker was told that it might begin
 * @param beganAt when it began
 * @param endedAt when it ended; null if the process did not live to write it down
 * @param outcome how it ended; null likewise
 */
public record Run(
    String process,
    long executionId,
    String nodeGroup,
    String taskId,
    long plannedFor,
    int attempt,
    long dueAt,
    long beganAt,
    @Nullable Long endedAt,
    @Nullable Outcome outcome) {

  /**
   * Every body that began, according to these files. An execution that began twice is there twice.
   */
  public static List<Run> read(Collection<Path> journals) {
    List<Run> runs = new ArrayList<>();
    journals.forEach(journal -> runs.addAll(read(journal)));
    return runs;
  }

  private static List<Run> read(Path journal) {
    List<Run> runs = new ArrayList<>();
    Map<String, Integer> open = new HashMap<>();
    for (String[] line : JournalFile.read(journal)) {
      if (line[0].equals(RunJournal.BEGAN)) {
        open.put(line[2], runs.size());
        runs.add(began(journal.getFileName().toString(), line));
      } else {
        int index = Objects.requireNonNull(open.remove(line[2]));
        runs.set(index, runs.get(index).ended(line));
      }
    }
    return runs;
  }

  private static Run began(String process, String[] line) {
    return new Run(
        process,
        Long.parseLong(line[2]),
        line[3],
        line[4],
        Long.parseLong(line[5]),
        Integer.parseInt(line[6]),
        Long.parseLong(line[7]),
        Long.parseLong(line[1]),
        null,
        null);
  }

  private Run ended(String[] line) {
    return new Run(
        process,
        executionId,
        nodeGroup,
        taskId,
        plannedFor,
        attempt,
        dueAt,
        beganAt,
        Long.valueOf(line[1]),
        Outcome.valueOf(line[3]));
  }

  /** Node group and task id. */
  public String key() {
    return nodeGroup + "/" + taskId;
  }
}
