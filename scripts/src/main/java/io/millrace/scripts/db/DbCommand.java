package io.millrace.scripts.db;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace db}: holds its subcommands. */
@Command(
    name = "db",
    description = "Prepares and checks the database of trackers; starts no tracker.",
    subcommands = {
      DbMigrateCommand.class,
      DbRepairCommand.class,
      DbValidateCommand.class,
      DbPrintSqlCommand.class
    })
public final class DbCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
