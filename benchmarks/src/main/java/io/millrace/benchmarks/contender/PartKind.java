package io.millrace.benchmarks.contender;

/** The kinds of process of the contenders. */
public enum PartKind {
  MILLRACE_TRACKER,
  MILLRACE_SERVER,
  MILLRACE_CLIENT,
  MILLRACE_WORKER,
  MILLRACE_IN_ONE_PROCESS,
  DB_SCHEDULER_FETCH,
  DB_SCHEDULER_LOCK,
  QUARTZ,
  JOBRUNR,
  BARE_PIPELINE;

  /** Creates a part that is not open. */
  public Part make() {
    return switch (this) {
      case MILLRACE_TRACKER -> new MillraceTracker();
      case MILLRACE_SERVER -> new MillraceServer();
      case MILLRACE_CLIENT -> new MillraceClient();
      case MILLRACE_WORKER -> new MillraceWorker();
      case MILLRACE_IN_ONE_PROCESS -> new MillraceInOneProcess();
      case DB_SCHEDULER_FETCH -> new DbScheduler(false);
      case DB_SCHEDULER_LOCK -> new DbScheduler(true);
      case QUARTZ -> new Quartz();
      case JOBRUNR -> new JobRunr();
      case BARE_PIPELINE -> new BarePipeline();
    };
  }
}
