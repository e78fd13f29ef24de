package io.millrace.scripts.background;

import io.millrace.scripts.BadInputException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The files a node in the background leaves in its run directory.
 *
 * @param pid the process
 * @param address where it listens; there once it does
 * @param log what it logs and prints; appended to
 * @param token the first token of a new database, until it has been shown
 */
public record NodeFiles(Path pid, Path address, Path log, Path token) {

  /** The files of the node of a configuration file: {@code tracker.properties}: tracker.pid, ... */
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

  /** Where all of them are. */
  Path directory() {
    return Objects.requireNonNull(log.getParent());
  }

  /** The JVM option by which the process of these files is recognised. */
  String mark() {
    return "-Dmillrace.node=" + pid;
  }
}
