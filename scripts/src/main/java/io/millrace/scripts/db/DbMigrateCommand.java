package io.millrace.scripts.db;

import io.millrace.jobtracker.StoreSchema;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ConfigFile;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace db migrate}: brings the tables up to date. */
@Command(
    name = "migrate",
    description = {
      "Migrates the tables of the database in the configuration, exactly as a tracker does"
          + " when it starts, and prints the changes. The database itself must exist, unless it is"
          + " H2.",
      "Can be repeated, and run while trackers of this version or the previous one are running."
    })
public final class DbMigrateCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigFile config = new ConfigFile();

  @Override
  public Integer call() {
    List<String> done = StoreSchema.of(config.tracker()).migrate();
    PrintWriter out = spec.commandLine().getOut();
    if (done.isEmpty()) {
      out.println("nothing to do: the tables are up to date");
    }
    done.forEach(out::println);
    out.flush();
    return ExitCode.OK;
  }
}
