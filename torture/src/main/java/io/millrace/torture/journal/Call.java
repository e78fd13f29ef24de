package io.millrace.torture.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client, as recorded in its journal. Times are epoch milliseconds.
 *
 * @param process the journal's name, which identifies the process and its start
 * @param step the number of the step in the workload
 * @param askedAt when the client sent the request
 * @param answeredAt when the result arrived; null if the process ended before it recorded the
 *     result
 * @param answer the result; UNKNOWN if the process ended before it recorded the result
 * @param words additional text of the result
 */
public record Call(
    String process,
    int step,
    long askedAt,
    @Nullable Long answeredAt,
    Answer answer,
    String words) {

  /** Reads all requests from these files; missing files are ignored. */
  public static List<Call> read(Collection<Path> journals) {
    List<Call> calls = new ArrayList<>();
    journals.forEach(journal -> calls.addAll(read(journal)));
    return calls;
  }

  /** Returns the steps whose requests do not need to be repeated. */
  public static Set<Integer> settled(Collection<Call> calls) {
    return calls.stream()
        .filter(call -> call.answer().isFinal())
        .map(Call::step)
        .collect(Collectors.toSet());
  }

  private static List<Call> read(Path journal) {
    String process = journal.getFileName().toString();
    List<Call> calls = new ArrayList<>();
    Map<Integer, Integer> open = new HashMap<>();
    for (String[] line : JournalFile.read(journal)) {
      if (line[0].equals(SubmitJournal.DELIVERED)) {
        continue;
      }
      int step = Integer.parseInt(line[2]);
      long at = Long.parseLong(line[1]);
      if (line[0].equals(SubmitJournal.ASKED)) {
        open.put(step, calls.size());
        calls.add(new Call(process, step, at, null, Answer.UNKNOWN, "never answered"));
      } else {
        int index = Objects.requireNonNull(open.remove(step));
        long askedAt = calls.get(index).askedAt();
        calls.set(index, new Call(process, step, askedAt, at, Answer.valueOf(line[3]), line[4]));
      }
    }
    return calls;
  }
}
