package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ChildJvm;
import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.contender.PartKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A contender's processes, which live through all rounds on one database. Not thread-safe. */
final class Contender implements AutoCloseable {
  private final ContenderKind kind;
  private final List<PartProcess> parts;
  private final Pace pace = new Pace();

  private Contender(ContenderKind kind, List<PartProcess> parts) {
    this.kind = kind;
    this.parts = parts;
  }

  /** Starts the processes; their errors go to files in this directory. */
  static Contender start(ContenderKind kind, List<String> jvmOptions, Path logs) {
    List<PartProcess> parts = new ArrayList<>();
    for (PartKind part : kind.parts()) {
      Path log = logs.resolve(part.name() + ".log");
      parts.add(new PartProcess(ChildJvm.start(part, jvmOptions, log)));
    }
    return new Contender(kind, parts);
  }

  ContenderKind kind() {
    return kind;
  }

  Pace pace() {
    return pace;
  }

  /** All processes, the one that has the tables first. */
  List<PartProcess> parts() {
    return parts;
  }

  PartProcess tables() {
    return parts.get(0);
  }

  /** The one process of a peer does everything. */
  PartProcess submitter() {
    return parts.get(Math.min(1, parts.size() - 1));
  }

  PartProcess workers() {
    return parts.get(parts.size() - 1);
  }

  /** Ends the processes. */
  @Override
  public void close() {
    parts.forEach(PartProcess::end);
  }
}
