package io.millrace.scripts.db;

import io.millrace.jobtracker.StoreSchema;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ConfigFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace db print-sql}: prints the SQL for a database administrator to run by hand. */
@Command(
    name = "print-sql",
    sortOptions = false,
    description = {
      "Prints the SQL of the tables, to be run by hand where trackers may not create or alter"
          + " tables. Run it from top to bottom, once.",
      "With --database, prints everything, for an empty database, without a connection. With"
          + " --pending, prints what the database in the configuration does not have yet."
    })
public final class DbPrintSqlCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--database",
      paramLabel = "h2|mysql",
      description = "Print everything, for H2 or for MySQL and MariaDB.")
  private StoreSchema.@Nullable Database database;

  @Option(
      names = "--pending",
      description = "Print only what has not yet been applied to the database of --config.")
  private boolean pending;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration of the tracker, with --pending.")
  private @Nullable Path config;

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description =
          "With --database: also print the waiting table of this node group, which a tracker"
              + " otherwise creates with the first job or worker of the group. Can be repeated.")
  private List<String> nodeGroups = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(sql());
    out.flush();
    return ExitCode.OK;
  }

  private String sql() {
    if (pending) {
      BadInputException.unless(
          database == null,
          "--database and --pending exclude one another; --pending uses the database of --config");
      BadInputException.unless(nodeGroups.isEmpty(), "--node-group needs --database");
      if (config == null) {
        throw new BadInputException("--pending needs --config FILE");
      }
      return StoreSchema.of(ConfigFile.server(config).tracker()).pendingSql();
    }
    BadInputException.unless(config == null, "--config needs --pending");
    if (database == null) {
      throw new BadInputException(
          "give either --database h2|mysql, or --pending with --config FILE");
    }
    try {
      return StoreSchema.sql(database, nodeGroups);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--node-group: " + e.getMessage(), e);
    }
  }
}
