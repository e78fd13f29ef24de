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
 * One thing a client asked for, as it wrote it down. Times are epoch milliseconds.
 *
 * @param process which start of which process it was in: the name of its journal
 * @param step number of the step in the workload
 * @param askedAt when it asked
 * @param answeredAt when it was answered; null if the process did not live to write it down
 * @param answer UNKNOWN likewise
 * @param words what else it was told
 */
public record Call(
    String process,
    int step,
    long askedAt,
    @Nullable Long answeredAt,
    Answer answer,
    String words) {

  /** Everything that was asked for, according to these files, which need not be there. */
  public static List<Call> read(Collection<Path> journals) {
    List<Call> calls = new ArrayList<>();
    journals.forEach(journal -> calls.addAll(read(journal)));
    return calls;
  }

  /** The steps that need not be asked for again. */
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
