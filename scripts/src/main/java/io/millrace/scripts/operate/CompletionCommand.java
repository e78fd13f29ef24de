package io.millrace.scripts.operate;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code millrace completion}: prints a script with which a shell completes commands and options.
 */
@Command(
    name = "completion",
    description =
        "Prints a script for bash and zsh that completes commands and options with the tab"
            + " key: source <(millrace completion)")
public final class CompletionCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine root = spec.root().commandLine();
    spec.commandLine().getOut().print(AutoComplete.bash(root.getCommandName(), root));
    spec.commandLine().getOut().flush();
  }
}
