package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.report.Results.Measured;
import io.millrace.benchmarks.report.Role;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Who takes part. */
public enum ContenderKind {
  MILLRACE("Millrace", Role.OURS),
  DB_SCHEDULER_FETCH("db-scheduler fetch", Role.PEER),
  DB_SCHEDULER_LOCK("db-scheduler lock", Role.PEER),
  QUARTZ("Quartz", Role.PEER),
  JOBRUNR("JobRunr", Role.PEER),
  CEILING("bare pipeline", Role.CEILING);

  private static final int CEILING_BATCH = 256;

  private final String title;
  private final Role role;

  ContenderKind(String title, Role role) {
    this.title = title;
    this.role = role;
  }

  /** Those that can take part on this database: H2 has nothing to lock and fetch at once with. */
  static Set<ContenderKind> on(DatabaseKind database) {
    Set<ContenderKind> all = EnumSet.allOf(ContenderKind.class);
    if (database == DatabaseKind.H2) {
      boolean unused = all.remove(DB_SCHEDULER_LOCK);
    }
    return all;
  }

  /**
   * Those that take part in a quick run: JobRunr is left out, whose lateness is the five seconds of
   * its poll.
   */
  static Set<ContenderKind> quicklyOn(DatabaseKind database) {
    Set<ContenderKind> quick = on(database);
    boolean unused = quick.remove(JOBRUNR);
    return quick;
  }

  /** Whether its drain is worth the time of a quick run: Quartz's is a tenth of the others'. */
  boolean drainsQuickly() {
    return this != QUARTZ && this != JOBRUNR;
  }

  /** As it is written in options. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** As the report calls it. */
  Measured measured() {
    return new Measured(title, role);
  }

  /** The one that has the tables first, then the one that submits, then the one that runs jobs. */
  List<PartKind> parts() {
    return switch (this) {
      case MILLRACE ->
          List.of(PartKind.MILLRACE_TRACKER, PartKind.MILLRACE_CLIENT, PartKind.MILLRACE_WORKER);
      case DB_SCHEDULER_FETCH -> List.of(PartKind.DB_SCHEDULER_FETCH);
      case DB_SCHEDULER_LOCK -> List.of(PartKind.DB_SCHEDULER_LOCK);
      case QUARTZ -> List.of(PartKind.QUARTZ);
      case JOBRUNR -> List.of(PartKind.JOBRUNR);
      case CEILING -> List.of(PartKind.BARE_PIPELINE);
    };
  }

  /** Jobs in one call of a batch submit, where all others take so many. */
  int batch(int others) {
    return this == CEILING ? CEILING_BATCH : others;
  }
}
