package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.report.Results.Measured;
import io.millrace.benchmarks.report.Role;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The contenders. */
public enum ContenderKind {
  MILLRACE("Millrace", Role.OURS),
  MILLRACE_ONE("Millrace in one process", Role.OURS),
  DB_SCHEDULER_FETCH("db-scheduler fetch", Role.PEER),
  DB_SCHEDULER_LOCK("db-scheduler lock", Role.PEER),
  QUARTZ("Quartz", Role.PEER),
  JOBRUNR("JobRunr", Role.PEER),
  CEILING("bare pipeline", Role.CEILING);

  private static final int CEILING_BATCH = 256;
  private static final String PEER_DRIVER =
      "on MySQL, Connector/J with rewriteBatchedStatements, on MariaDB its own driver";
  private static final String DB_SCHEDULER =
      "polls every 20 ms and at once after a submit, scheduleBatch; " + PEER_DRIVER;

  private final String title;
  private final Role role;

  ContenderKind(String title, Role role) {
    this.title = title;
    this.role = role;
  }

  /**
   * Returns the contenders for this database. With H2, db-scheduler cannot lock and fetch in one
   * step.
   */
  static Set<ContenderKind> on(DatabaseKind database) {
    Set<ContenderKind> all = EnumSet.allOf(ContenderKind.class);
    if (database == DatabaseKind.H2) {
      boolean unused = all.remove(DB_SCHEDULER_LOCK);
    }
    return all;
  }

  /**
   * Returns the contenders for a quick run. JobRunr is omitted, because its lateness is its poll
   * interval of five seconds.
   */
  static Set<ContenderKind> quicklyOn(DatabaseKind database) {
    Set<ContenderKind> quick = on(database);
    boolean unused = quick.remove(JOBRUNR);
    return quick;
  }

  /**
   * Returns whether a quick run measures its drain. Quartz is omitted, because its drain is ten
   * times slower than the others'.
   */
  boolean drainsQuickly() {
    return this != QUARTZ && this != JOBRUNR;
  }

  /**
   * Returns whether it is measured with recurring jobs, which its users declare by the thousand.
   */
  boolean recurs() {
    return role == Role.OURS || this == QUARTZ;
  }

  /** Returns the word used in options. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the name and role used in the report. */
  Measured measured() {
    return new Measured(title, role);
  }

  /** Returns how it is configured, for the head of the report. */
  String conditions() {
    return switch (this) {
      case MILLRACE -> "tracker, client and worker in a process each; defaults";
      case MILLRACE_ONE -> "tracker, client and worker in one process, over TCP; defaults";
      case DB_SCHEDULER_FETCH -> "fetch; " + DB_SCHEDULER;
      case DB_SCHEDULER_LOCK -> "lock and fetch; " + DB_SCHEDULER;
      case QUARTZ -> "JobStoreTX, clustered, acquires 16 triggers at once; " + PEER_DRIVER;
      case JOBRUNR -> "polls every 5 s, the shortest interval that it accepts; " + PEER_DRIVER;
      case CEILING -> "only the statements for the rows of Millrace's jobs, in batches of 256";
    };
  }

  /** Returns the part with the tables, then the one that submits, then the one that runs jobs. */
  List<PartKind> parts() {
    return switch (this) {
      case MILLRACE ->
          List.of(PartKind.MILLRACE_TRACKER, PartKind.MILLRACE_CLIENT, PartKind.MILLRACE_WORKER);
      case MILLRACE_ONE -> List.of(PartKind.MILLRACE_IN_ONE_PROCESS);
      case DB_SCHEDULER_FETCH -> List.of(PartKind.DB_SCHEDULER_FETCH);
      case DB_SCHEDULER_LOCK -> List.of(PartKind.DB_SCHEDULER_LOCK);
      case QUARTZ -> List.of(PartKind.QUARTZ);
      case JOBRUNR -> List.of(PartKind.JOBRUNR);
      case CEILING -> List.of(PartKind.BARE_PIPELINE);
    };
  }

  /** Returns the number of jobs per batch submit, given the number for all other contenders. */
  int batch(int others) {
    return this == CEILING ? CEILING_BATCH : others;
  }
}
