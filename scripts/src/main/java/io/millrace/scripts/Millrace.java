package io.millrace.scripts;

import ch.qos.logback.classic.Level;
import io.millrace.scripts.command.CancelCommand;
import io.millrace.scripts.command.ExplainCommand;
import io.millrace.scripts.command.HealthCommand;
import io.millrace.scripts.command.NextCommand;
import io.millrace.scripts.command.NodeCommand;
import io.millrace.scripts.command.PauseCommand;
import io.millrace.scripts.command.QuickstartCommand;
import io.millrace.scripts.command.ResumeCommand;
import io.millrace.scripts.command.RunCommand;
import io.millrace.scripts.command.StartCommand;
import io.millrace.scripts.command.StatusCommand;
import io.millrace.scripts.command.StopCommand;
import io.millrace.scripts.command.SubmitCommand;
import io.millrace.scripts.command.TerminateCommand;
import io.millrace.scripts.command.TrackerCommand;
import io.millrace.scripts.command.WorkerCommand;
import io.millrace.scripts.db.DbCommand;
import io.millrace.scripts.operate.AuditCommand;
import io.millrace.scripts.operate.CompletionCommand;
import io.millrace.scripts.operate.DrainCommand;
import io.millrace.scripts.operate.GroupsCommand;
import io.millrace.scripts.operate.JobCommand;
import io.millrace.scripts.operate.JobsCommand;
import io.millrace.scripts.operate.LogCommand;
import io.millrace.scripts.operate.OverviewCommand;
import io.millrace.scripts.operate.ResultCommand;
import io.millrace.scripts.operate.TrackersCommand;
import io.millrace.scripts.operate.VersionsCommand;
import io.millrace.scripts.operate.WaitingCommand;
import io.millrace.scripts.operate.WorkersCommand;
import io.millrace.scripts.operate.bulk.BulkCommand;
import io.millrace.scripts.operate.bulk.BulkStopCommand;
import io.millrace.scripts.operate.bulk.BulksCommand;
import io.millrace.scripts.operate.dead.DeadCommand;
import io.millrace.scripts.operate.dead.DiscardCommand;
import io.millrace.scripts.operate.dead.ReplayCommand;
import io.millrace.scripts.operate.file.ApplyCommand;
import io.millrace.scripts.operate.file.ExportCommand;
import io.millrace.scripts.operate.run.BatchCommand;
import io.millrace.scripts.operate.run.BatchesCommand;
import io.millrace.scripts.operate.run.HistoryCommand;
import io.millrace.scripts.operate.run.RunningCommand;
import io.millrace.scripts.operate.token.TokenCommand;
import io.millrace.scripts.operate.token.TokensCommand;
import io.millrace.scripts.option.convert.Converters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code millrace}; it only holds its subcommands. */
@Command(
    name = "millrace",
    description = "Starts the nodes of Millrace, submits jobs and operates them.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the command failed",
      "2:the input was invalid: do not repeat it unchanged",
      "3:the tracker rejected the token, or needs one",
      "4:db validate, apply --dry-run: there are differences",
      "130, 143:stopped by Ctrl-C or SIGTERM"
    },
    subcommands = {
      QuickstartCommand.class,
      TrackerCommand.class,
      WorkerCommand.class,
      SubmitCommand.class,
      PauseCommand.class,
      ResumeCommand.class,
      RunCommand.class,
      ExplainCommand.class,
      StatusCommand.class,
      HealthCommand.class,
      TerminateCommand.class,
      CancelCommand.class,
      NextCommand.class,
      StartCommand.class,
      StopCommand.class,
      JobsCommand.class,
      JobCommand.class,
      VersionsCommand.class,
      BulkCommand.class,
      BulksCommand.class,
      BulkStopCommand.class,
      ExportCommand.class,
      ApplyCommand.class,
      WaitingCommand.class,
      RunningCommand.class,
      HistoryCommand.class,
      BatchesCommand.class,
      BatchCommand.class,
      LogCommand.class,
      ResultCommand.class,
      DeadCommand.class,
      ReplayCommand.class,
      DiscardCommand.class,
      GroupsCommand.class,
      WorkersCommand.class,
      DrainCommand.class,
      TrackersCommand.class,
      OverviewCommand.class,
      TokensCommand.class,
      TokenCommand.class,
      AuditCommand.class,
      CompletionCommand.class,
      DbCommand.class
    })
public final class Millrace implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      scope = ScopeType.INHERIT,
      description =
          "Log level on the error stream: ERROR, WARN, INFO, DEBUG or TRACE. Default: INFO"
              + " for a node, off for other commands.")
  private @Nullable Level logLevel;

  /** Starts the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(
        commandLine()
            .setOut(OutputCharset.writer(System.out))
            .setErr(OutputCharset.writer(System.err))
            .execute(arguments));
  }

  /** Returns the command line, ready to execute. */
  public static CommandLine commandLine() {
    Millrace root = new Millrace();
    CommandLine line = Converters.registerAt(new CommandLine(root));
    Converters.register(line, Level.class, LogLevels::parse);
    return line.setParameterExceptionHandler(Failures::badArguments)
        .setExecutionExceptionHandler(Failures::failed)
        .setExecutionStrategy(root::execute)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  private int execute(ParseResult parsed) {
    List<CommandLine> commands = parsed.asCommandLineList();
    Object command = commands.get(commands.size() - 1).getCommand();
    Level unlessChosen = command instanceof NodeCommand node ? node.logLevel() : Level.OFF;
    LogLevels.set(logLevel == null ? unlessChosen : logLevel);
    return new CommandLine.RunLast().execute(parsed);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
