package io.millrace.torture.database;

import io.millrace.torture.node.Watched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program that starts database servers of a kind that the build does not include. The servers
 * continue when the program ends.
 */
public final class ServerProgram {
  /** The environment variable that names a program that starts a MySQL server. */
  public static final String MYSQL = "MILLRACE_MYSQL";

  /** The environment variable that names a program that starts a cluster of three nodes. */
  public static final String GALERA = "MILLRACE_GALERA";

  private static final Map<String, String> COMMANDS =
      Map.of(
          MYSQL,
          "'start DATA PORT', which starts a MySQL server over the directory DATA at this port of"
              + " the loopback address, prints its process id when it answers, and leaves root"
              + " without a password",
          GALERA,
          "'start DATA PORT', which starts a Galera cluster of three nodes over the directory DATA"
              + " at PORT, PORT+1 and PORT+2 of the loopback address, prints a process id for each"
              + " when all are synced, and leaves root without a password, and 'node DATA PORT N',"
              + " which starts node N (0 to 2) again");

  private final Path program;

  private ServerProgram(Path program) {
    this.program = program;
  }

  /**
   * Returns the program that an environment variable names.
   *
   * @throws ServerProgramMissingException if the variable is not set; the message says what to set
   */
  public static ServerProgram named(String variable, Map<String, String> environment) {
    String path = environment.getOrDefault(variable, "");
    if (path.isEmpty() || !Files.isExecutable(Path.of(path)) || Files.isDirectory(Path.of(path))) {
      throw new ServerProgramMissingException(
          "%s %s; it must be the path of a program with the %s %s"
              .formatted(
                  variable,
                  path.isEmpty() ? "is not set" : "is " + path + ", which is not executable",
                  variable.equals(MYSQL) ? "command" : "commands",
                  COMMANDS.get(variable)));
    }
    return new ServerProgram(Path.of(path).toAbsolutePath());
  }

  /** Starts the servers that these arguments request; returns when they accept queries. */
  List<Watched> run(Path log, Object... words) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    for (Object word : words) {
      command.add(word.toString());
    }
    return Watched.startedBy(command, log);
  }
}
