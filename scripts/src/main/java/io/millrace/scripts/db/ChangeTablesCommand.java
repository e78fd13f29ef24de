package io.millrace.scripts.db;

import io.millrace.jobtracker.StoreSchema;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ConfigFile;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that changes the tables of the database in a configuration. */
abstract class ChangeTablesCommand implements Callable<Integer> {
  private final Function<StoreSchema, List<String>> change;
  private final String verb;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigFile config = new ConfigFile();

  /**
   * @param change makes the changes and describes them
   * @param verb completes "nothing to …", which is printed if there are no changes
   */
  ChangeTablesCommand(Function<StoreSchema, List<String>> change, String verb) {
    this.change = change;
    this.verb = verb;
  }

  @Override
  public final Integer call() {
    List<String> done = change.apply(StoreSchema.of(config.tracker()));
    PrintWriter out = spec.commandLine().getOut();
    if (done.isEmpty()) {
      out.println("nothing to " + verb + ": the tables are up to date");
    }
    done.forEach(out::println);
    out.flush();
    return ExitCode.OK;
  }
}
