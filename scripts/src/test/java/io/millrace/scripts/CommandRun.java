package io.millrace.scripts;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * One run of the command line in this process.
 *
 * @param exitCode what the process would have ended with
 * @param out what it printed
 * @param error what it printed on the error stream
 */
public record CommandRun(int exitCode, String out, String error) {

  public static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter error = new StringWriter();
    int exitCode =
        Millrace.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(error, true))
            .execute(arguments);
    return new CommandRun(exitCode, out.toString(), error.toString());
  }
}
