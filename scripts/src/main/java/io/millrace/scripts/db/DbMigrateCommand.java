package io.millrace.scripts.db;

import io.millrace.jobtracker.StoreSchema;
import picocli.CommandLine.Command;

/** {@code millrace db migrate}: brings the tables up to date. */
@Command(
    name = "migrate",
    description = {
      "Migrates the tables of the database in the configuration, exactly as a tracker does"
          + " when it starts, and prints the changes. The database itself must exist, unless it is"
          + " H2.",
      "Can be repeated, and run while trackers of this version or the previous one are running."
    })
public final class DbMigrateCommand extends ChangeTablesCommand {

  /** Creates the command; picocli calls this. */
  public DbMigrateCommand() {
    super(StoreSchema::migrate, "do");
  }
}
