package io.millrace.scripts.db;

import io.millrace.jobtracker.StoreSchema;
import picocli.CommandLine.Command;

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
public final class DbRepairCommand extends ChangeTablesCommand {

  /** Creates the command; picocli calls this. */
  public DbRepairCommand() {
    super(StoreSchema::repair, "repair");
  }
}
