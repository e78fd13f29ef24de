package io.millrace.scripts.operate.file;

import io.millrace.api.Schedule;
import io.millrace.scripts.operate.file.Change.Kind;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Output;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The difference between the jobs of a file and those that live. Immutable.
 *
 * @param changes in order of their keys
 */
record Difference(List<Change> changes) {
  private static final int SHOWN_CHARS = 200;
  private static final String NONE = "none";

  /**
   * Compares a job of the file.
   *
   * @param live the job of its key; null if there is none
   * @param now the tracker's time
   */
  static Change of(FileJob wanted, @Nullable LiveJob live, Instant now) {
    if (live == null) {
      return missing(wanted, now);
    }
    List<String> fields = fields(FileJob.values(live.job()), FileJob.values(wanted.toJob()));
    if (fields.isEmpty() && live.isFinished()) {
      return leftAlone(wanted.key(), "it has finished: no fire time is left");
    }
    if (fields.isEmpty()) {
      return new Change(Kind.SAME, wanted.key(), null, List.of(), wanted, live.tag());
    }
    if (live.isFinished()) {
      return missing(wanted, now);
    }
    if (live.isExecuting()) {
      return leftAlone(wanted.key(), "a worker runs this one-shot already");
    }
    String owner = live.owner();
    String note = owner == null ? null : "declared by " + owner + ", which may change it back";
    return new Change(Kind.CHANGED, wanted.key(), note, fields, wanted, live.tag());
  }

  /** A one-shot that has ended must not run again because its file is applied again. */
  private static Change missing(FileJob wanted, Instant now) {
    boolean hasPassed =
        wanted.toJob().schedule() instanceof Schedule.Once once
            && once.at() != null
            && !once.at().isAfter(now);
    return hasPassed
        ? leftAlone(wanted.key(), "its instant has passed: it has run, or would run late")
        : new Change(Kind.NEW, wanted.key(), null, List.of(), wanted, null);
  }

  private static List<String> fields(Map<String, String> before, Map<String, String> after) {
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    List<String> lines = new ArrayList<>();
    for (String name : names) {
      String old = before.getOrDefault(name, NONE);
      String fresh = after.getOrDefault(name, NONE);
      if (!old.equals(fresh)) {
        lines.add(Cell.line(name + ": " + shown(old) + " -> " + shown(fresh)));
      }
    }
    return lines;
  }

  private static String shown(String value) {
    return value.length() <= SHOWN_CHARS
        ? value
        : value.substring(0, SHOWN_CHARS) + "… (" + value.length() + " characters)";
  }

  /** Returns the cancel of a live job that the file does not have. */
  static Change removal(LiveJob live) {
    String owner = live.owner();
    if (owner != null) {
      return declared(live.key(), owner);
    }
    return live.isExecuting()
        ? leftAlone(live.key(), "a worker runs this one-shot already")
        : new Change(Kind.REMOVED, live.key(), null, List.of(), null, live.tag());
  }

  static Change declared(Key key, String owner) {
    return leftAlone(key, "declared by " + owner);
  }

  private static Change leftAlone(Key key, String why) {
    return new Change(Kind.LEFT_ALONE, key, "left alone: " + why, List.of(), null, null);
  }

  /** Returns those that the tracker has to be asked for. */
  List<Change> toDo() {
    return changes.stream().filter(change -> change.kind().isDone()).toList();
  }

  /** Prints a line for each job that differs, and the counts. */
  void print(Output output) {
    for (Change change : changes) {
      if (change.kind() != Kind.SAME) {
        output.out().println(Cell.lines(change.line()));
        change.fields().forEach(field -> output.out().println("    " + field));
      }
    }
    long left = count(Kind.LEFT_ALONE);
    output
        .out()
        .println(
            "%d new, %d changed, %d removed, %d as they are%s"
                .formatted(
                    count(Kind.NEW),
                    count(Kind.CHANGED),
                    count(Kind.REMOVED),
                    count(Kind.SAME),
                    left == 0 ? "" : ", " + left + " left alone"));
    output.out().flush();
  }

  private long count(Kind kind) {
    return changes.stream().filter(change -> change.kind() == kind).count();
  }
}
