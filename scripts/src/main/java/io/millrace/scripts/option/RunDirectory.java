package io.millrace.scripts.option;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a node in the background leaves its pid file and its log. */
public final class RunDirectory {

  @Option(
      names = "--run-dir",
      paramLabel = "DIR",
      defaultValue = "run",
      description =
          "Directory of the node's pid file and log, named after the configuration file. Default:"
              + " ${DEFAULT-VALUE}.")
  private Path path = Path.of("run");

  public Path path() {
    return path;
  }
}
