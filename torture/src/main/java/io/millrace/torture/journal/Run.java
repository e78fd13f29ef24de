package io.millrace.torture.journal;

import io.millrace.api.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One started invocation, as recorded by its worker. Times are epoch milliseconds.
 *
 * @param process the journal's name, which identifies the process and its start
 * @param executionId the id of the execution
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedFor the instant planned by the schedule
 * @param attempt the number of the attempt, from 1
 * @param dueAt the earliest start that the worker received
 * @param shard which of the shards of its run it is, from 1
 * @param shards how many they are; 1 if the run was not split into shards
 * @param beganAt when the invocation began
 * @param endedAt when the invocation ended; null if the process ended before it recorded the end
 * @param outcome how the invocation ended; null if the process ended before it recorded the end
 */
public record Run(
    String process,
    long executionId,
    String nodeGroup,
    String taskId,
    long plannedFor,
    int attempt,
    long dueAt,
    int shard,
    int shards,
    long beganAt,
    @Nullable Long endedAt,
    @Nullable Outcome outcome) {

  /**
   * Reads every started invocation from these files. An execution that began twice is contained
   * twice.
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
      } else if (line[0].equals(RunJournal.ENDED)) {
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
        Integer.parseInt(line[8]),
        Integer.parseInt(line[9]),
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
        shard,
        shards,
        beganAt,
        Long.valueOf(line[1]),
        Outcome.valueOf(line[3]));
  }

  /** Returns node group and task id. */
  public String key() {
    return nodeGroup + "/" + taskId;
  }
}
