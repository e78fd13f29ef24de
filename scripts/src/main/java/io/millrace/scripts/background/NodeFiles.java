package io.millrace.scripts.background;

import io.millrace.scripts.BadInputException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The files that a background node writes to its run directory.
 *
 * @param pid the process id
 * @param address the address on which the node listens; written once it does
 * @param log the node's log and output; appended to
 * @param token the first token of a new database, until it is shown
 */
public record NodeFiles(Path pid, Path address, Path log, Path token) {

  /**
   * Returns the files for a configuration file: for {@code tracker.properties}: tracker.pid, ...
   */
  public static NodeFiles of(Path runDirectory, Path config) {
    Path fileName = config.getFileName();
    if (fileName == null) {
      throw new BadInputException("--config " + config + " is not a file");
    }
    String name = fileName.toString().replaceFirst("\\.[^.]+$", "");
    Path directory = runDirectory.toAbsolutePath().normalize();
    return new NodeFiles(
        directory.resolve(name + ".pid"),
        directory.resolve(name + ".address"),
        directory.resolve(name + ".log"),
        directory.resolve(name + ".token"));
  }

  /** Returns the run directory. */
  Path directory() {
    return Objects.requireNonNull(log.getParent());
  }

  /** Returns the JVM option that identifies the process of these files. */
  String mark() {
    return "-Dmillrace.node=" + pid;
  }
}
