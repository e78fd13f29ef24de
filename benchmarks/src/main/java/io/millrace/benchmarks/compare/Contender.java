package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ChildJvm;
import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.report.Results.Measured;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a contender, which live through all rounds on one kind of database. Not
 * thread-safe.
 */
final class Contender implements AutoCloseable {
  private final ContenderKind kind;
  private final Measured measured;
  private final List<PartProcess> parts;
  private final Pace pace = new Pace();

  private Contender(ContenderKind kind, Measured measured, List<PartProcess> parts) {
    this.kind = kind;
    this.measured = measured;
    this.parts = parts;
  }

  /** Starts the processes of a contender, which have the class path of this process. */
  static Contender start(
      ContenderKind kind, List<String> jvmOptions, Path logs, @Nullable Path profiles) {
    return start(kind, kind.measured(), ChildJvm.classPathOfThis(), jvmOptions, logs, profiles);
  }

  /** Starts the processes of a version of Millrace. */
  static Contender start(
      Version version, List<String> jvmOptions, Path logs, @Nullable Path profiles) {
    return start(
        ContenderKind.MILLRACE,
        version.measured(),
        version.classPath(),
        jvmOptions,
        logs,
        profiles);
  }

  /**
   * Starts the processes.
   *
   * @param logs the directory for the error output
   * @param profiles the directory for flight recordings; null for none
   */
  private static Contender start(
      ContenderKind kind,
      Measured measured,
      String classPath,
      List<String> jvmOptions,
      Path logs,
      @Nullable Path profiles) {
    List<PartProcess> parts = new ArrayList<>();
    for (PartKind part : kind.parts()) {
      List<String> options = new ArrayList<>(jvmOptions);
      if (profiles != null) {
        options.addAll(recording(profiles.resolve(part.name() + ".jfr")));
      }
      Path log = logs.resolve(part.name() + ".log");
      parts.add(new PartProcess(ChildJvm.start(part, classPath, options, log)));
    }
    return new Contender(kind, measured, parts);
  }

  /**
   * Returns the options for a flight recording. Silences the JVM's messages about it, which would
   * otherwise mix with the responses.
   */
  private static List<String> recording(Path file) {
    return List.of(
        "-XX:StartFlightRecording=filename=" + file + ",settings=profile,dumponexit=true",
        "-Xlog:jfr+startup=off");
  }

  ContenderKind kind() {
    return kind;
  }

  /** Returns its name and role in the report. */
  Measured measured() {
    return measured;
  }

  Pace pace() {
    return pace;
  }

  /** Returns all processes, the one with the tables first. */
  List<PartProcess> parts() {
    return parts;
  }

  PartProcess tables() {
    return parts.get(0);
  }

  /** Returns the process that submits jobs. The only process of a peer has all roles. */
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
