package io.millrace.scripts.db;

import io.millrace.jobtracker.StoreSchema;
import io.millrace.jobtracker.store.jdbc.schema.SchemaFindings;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ConfigFile;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace db validate}: checks whether the tables match this version. */
@Command(
    name = "validate",
    description = {
      "Checks whether the database in the configuration fits this version, and prints the"
          + " differences, one a line: migrations that have not been applied or differ from the"
          + " applied ones, and missing or different tables, columns and indexes.",
      "Changes nothing. Exit code 4 if the database does not fit, 1 if it cannot be checked."
    })
public final class DbValidateCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigFile config = new ConfigFile();

  @Override
  public Integer call() {
    SchemaFindings findings = StoreSchema.of(config.tracker()).inspect();
    PrintWriter out = spec.commandLine().getOut();
    findings.notes().forEach(note -> out.println("note: " + note));
    findings.differences().forEach(out::println);
    out.println(findings.fits() ? "the database fits this version" : "the database does not fit");
    out.flush();
    return findings.fits() ? ExitCode.OK : ExitCode.DIFFERS;
  }
}
