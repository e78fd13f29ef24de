package io.millrace.scripts.operate.file;

import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.operate.file.LiveJobs.Listed;
import io.millrace.scripts.option.Operator;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One export of live jobs. Used once, by one thread. */
final class Export {
  /** How many jobs are read before they are written; bounds the memory that they take. */
  private static final int AT_ONCE = 500;

  private static final int SHOWN = 5;
  private static final int DEPTH = 2;

  private final Operator operator;
  private final LiveJobs live;
  private final boolean withDeclared;
  private final List<Key> paused = new ArrayList<>();
  private final List<Key> withFeedback = new ArrayList<>();
  private final List<Key> leftOut = new ArrayList<>();
  private int written;

  /**
   * @param withDeclared whether jobs that an application declares are written too
   */
  Export(Operator operator, boolean withDeclared) {
    this.operator = operator;
    this.live = new LiveJobs(operator);
    this.withDeclared = withDeclared;
  }

  /**
   * Returns the keys of the jobs to write, in their order.
   *
   * @param groups the node groups; all if empty
   * @param prefix of the task ids; null for any
   */
  List<Key> keys(Collection<String> groups, @Nullable String prefix, boolean oneShots)
      throws InterruptedException {
    TreeSet<Key> keys = new TreeSet<>();
    for (String group : groups.isEmpty() ? live.groups() : groups) {
      for (Listed job : live.recurring(group, prefix)) {
        if (withDeclared || job.owner() == null) {
          keys.add(job.key());
        } else {
          leftOut.add(job.key());
        }
      }
      if (oneShots) {
        keys.addAll(live.oneShots(group, prefix));
      }
    }
    return new ArrayList<>(keys);
  }

  /** Writes the file. Jobs that have ended in the meantime are left out. */
  void write(List<Key> keys, PrintWriter out) throws InterruptedException {
    out.print("{\n  \"format\": " + JobFiles.FORMAT + ",\n  \"jobs\": [");
    for (int from = 0; from < keys.size(); from += AT_ONCE) {
      List<Key> some = keys.subList(from, Math.min(from + AT_ONCE, keys.size()));
      for (Optional<LiveJob> job : live.read(some)) {
        if (job.isPresent() && !job.get().isExecuting() && !job.get().isFinished()) {
          write(job.get(), out);
        }
      }
    }
    out.print(written == 0 ? "]\n}\n" : "\n  ]\n}\n");
    out.flush();
  }

  private void write(LiveJob job, PrintWriter out) {
    StringBuilder text = new StringBuilder(written == 0 ? "\n" : ",\n").append("    ");
    new JsonLayout(text, true).indented(DEPTH).write(FileJob.written(job.job()));
    out.print(text);
    if (out.checkError()) {
      throw new CommandFailedException("the output cannot be written");
    }
    written++;
    if (job.isPaused()) {
      paused.add(job.key());
    }
    if (job.detail().origin().feedback()) {
      withFeedback.add(job.key());
    }
  }

  /** Says on the error stream what the file does not carry. */
  void sayWhatIsNotThere() {
    operator.output().note("jobs written: " + written);
    note("declared by applications, left out; --declared writes them", leftOut);
    note("paused, which the file does not say", paused);
    note("sending feedback to a client group, which the file does not say", withFeedback);
  }

  private void note(String what, List<Key> jobs) {
    if (!jobs.isEmpty()) {
      String first = String.join(", ", jobs.stream().limit(SHOWN).map(Key::toString).toList());
      operator
          .output()
          .note(
              "jobs %s: %d (%s%s)"
                  .formatted(what, jobs.size(), first, jobs.size() > SHOWN ? ", …" : ""));
    }
  }
}
