package io.millrace.scripts.db;

import io.millrace.jobtracker.StoreSchema;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ConfigFile;
import io.millrace.scripts.option.convert.DatabaseConverter;
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
      "Prints the SQL of the tables, for whoever runs it by hand because trackers may not create or"
          + " alter tables. What is printed is run from top to bottom, once.",
      "With --database, everything, for an empty database; none is asked. With --pending, what the"
          + " database that the configuration names does not have yet."
    })
public final class DbPrintSqlCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--database",
      paramLabel = "h2|mysql",
      converter = DatabaseConverter.class,
      description = "Print everything, for H2 or for MySQL and MariaDB.")
  private StoreSchema.@Nullable Database database;

  @Option(
      names = "--pending",
      description = "Print only what has not been applied yet to the database of --config.")
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
          "With --database: print the waiting table of this node group too, which a tracker"
              + " otherwise makes when the first job or worker of the group comes. May be given"
              + " several times.")
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
      refuse(
          database != null,
          "--database goes without --pending, whose database is that of --config");
      refuse(!nodeGroups.isEmpty(), "--node-group goes with --database, not with --pending");
      if (config == null) {
        throw new BadInputException("--pending needs --config FILE");
      }
      return StoreSchema.of(ConfigFile.server(config).tracker()).pendingSql();
    }
    refuse(config != null, "--config goes with --pending");
    if (database == null) {
      throw new BadInputException("say --database h2|mysql, or --pending with --config FILE");
    }
    try {
      return StoreSchema.sql(database, nodeGroups);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--node-group: " + e.getMessage(), e);
    }
  }

  private static void refuse(boolean wrong, String why) {
    if (wrong) {
      throw new BadInputException(why);
    }
  }
}
