package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.ChildJvm;
import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.contender.PartKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of a measurement, which end with it. Not thread-safe. */
final class Children implements AutoCloseable {
  private final List<String> jvmOptions;
  private final Path logs;
  private final List<PartProcess> started = new ArrayList<>();

  /**
   * @param logs the directory for the error output of the processes
   */
  Children(List<String> jvmOptions, Path logs) {
    this.jvmOptions = jvmOptions;
    this.logs = logs;
  }

  /** Starts a process and waits until it is ready to open its part. */
  PartProcess start(PartKind kind) {
    PartProcess child =
        new PartProcess(
            ChildJvm.start(
                kind, ChildJvm.classPathOfThis(), jvmOptions, logs.resolve(kind.name() + ".log")));
    started.add(child);
    PartProcess.Usage unused = child.usage(false);
    return child;
  }

  @Override
  public void close() {
    started.forEach(PartProcess::end);
  }
}
