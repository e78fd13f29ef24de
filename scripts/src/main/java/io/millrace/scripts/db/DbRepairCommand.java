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

/** {@code millrace db repair}: continues a failed migration. */
@Command(
    name = "repair",
    description = {
      "Repairs the tables of the database in the configuration if an earlier version of"
          + " Millrace recorded a migration as failed, which keeps trackers from starting: removes"
          + " that record and applies the migration again, skipping the parts that had been"
          + " applied. Prints the changes.",
      "Names migrations that differ from the applied ones, without changing them. Can be repeated."
    })
public final class DbRepairCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigFile config = new ConfigFile();

  @Override
  public Integer call() {
    List<String> done = StoreSchema.of(config.tracker()).repair();
    PrintWriter out = spec.commandLine().getOut();
    if (done.isEmpty()) {
      out.println("nothing to repair: the tables are up to date");
    }
    done.forEach(out::println);
    out.flush();
    return ExitCode.OK;
  }
}
