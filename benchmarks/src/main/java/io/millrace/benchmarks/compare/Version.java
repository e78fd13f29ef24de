package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ChildJvm;
import io.millrace.benchmarks.report.Results.Measured;
import io.millrace.benchmarks.report.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A version of Millrace.
 *
 * @param name for the report
 * @param classPath of its benchmarks, and so of its tracker, client and worker
 */
record Version(String name, String classPath) {

  /** Returns the version of this process. */
  static Version ofThis(String name) {
    return new Version(name, ChildJvm.classPathOfThis());
  }

  /**
   * Returns the version in a directory in which {@code scripts/bench} was built.
   *
   * @throws IOException if it was not, with a message for the user
   */
  static Version in(Path directory) throws IOException {
    Path target = directory.resolve("benchmarks").resolve("target").toAbsolutePath().normalize();
    Path libraries = target.resolve("class-path");
    if (!Files.isReadable(libraries)) {
      throw new IOException(
          "%s has no built benchmarks: %s is missing; build them with scripts/bench --help there"
              .formatted(directory, libraries));
    }
    return new Version(
        directory.toString(),
        target.resolve("classes") + ":" + Files.readString(libraries).strip());
  }

  /** Returns the name and role used in the results. */
  Measured measured() {
    return new Measured(name, Role.OURS);
  }
}
