package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/**
 * The migrations recorded in a database, compared with those of this version. Foreign tables in the
 * same schema do not matter. Migrations of a newer version are allowed: they are additive, so this
 * version runs beside it.
 *
 * @param pending the migrations to apply, in order
 * @param newer the migrations that a newer version has applied
 * @param failed the migrations that a former version recorded as failed
 * @param altered the migrations that differ from what was applied, one line each
 */
public record AppliedMigrations(
    List<MigrationInfo> pending,
    List<MigrationInfo> newer,
    List<MigrationInfo> failed,
    List<String> altered) {
  public static final String TABLE = "jt_schema_history";

  private static final Set<MigrationState> FAILED =
      Set.of(MigrationState.FAILED, MigrationState.MISSING_FAILED);

  private static final Set<MigrationState> SUCCEEDED =
      Set.of(MigrationState.SUCCESS, MigrationState.OUT_OF_ORDER);

  /** Reads the recorded migrations; changes nothing. */
  public static AppliedMigrations read(DataSource source, Dialect dialect) {
    List<MigrationInfo> newer = new ArrayList<>();
    List<MigrationInfo> failed = new ArrayList<>();
    List<String> altered = new ArrayList<>();
    var known = flyway(source, dialect).info();
    for (MigrationInfo one : known.applied()) {
      if (FAILED.contains(one.getState())) {
        failed.add(one);
      } else if (one.getState() == MigrationState.FUTURE_SUCCESS) {
        newer.add(one);
      } else if (one.getState() == MigrationState.MISSING_SUCCESS) {
        altered.add(nameOf(one) + ": this version does not have this migration");
      } else if (SUCCEEDED.contains(one.getState()) && !one.isChecksumMatching()) {
        altered.add(
            "%s: the applied migration differs from that of this version: checksum %s instead of %s"
                .formatted(nameOf(one), one.getAppliedChecksum(), one.getResolvedChecksum()));
      }
    }
    return new AppliedMigrations(Arrays.asList(known.pending()), newer, failed, altered);
  }

  /** Returns the failed and altered migrations, one line each. */
  public List<String> damages() {
    List<String> damages = new ArrayList<>();
    failed.forEach(
        one ->
            damages.add(
                nameOf(one)
                    + ": it failed when an earlier version of Millrace applied it; repair it"
                    + " with: millrace db repair --config FILE"));
    damages.addAll(altered);
    return damages;
  }

  public static String nameOf(MigrationInfo migration) {
    return "V" + migration.getVersion().getVersion() + " (" + migration.getDescription() + ")";
  }

  /**
   * Returns a Flyway that reads the files, their checksums and the recorded migrations; it applies
   * nothing.
   */
  private static Flyway flyway(DataSource source, Dialect dialect) {
    return Flyway.configure()
        .dataSource(source)
        .locations("classpath:schema/" + dialect.schemaFolder() + "/migration")
        .table(TABLE)
        .outOfOrder(true)
        .ignoreMigrationPatterns("*:future")
        .load();
  }
}
