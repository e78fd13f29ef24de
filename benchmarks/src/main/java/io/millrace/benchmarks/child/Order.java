package io.millrace.benchmarks.child;

/** The names of the commands. */
enum Order {
  OPEN,
  CLOSE,
  BEGIN,
  SUBMIT,
  SUBMIT_EVERY_SECOND,
  SUBMIT_DAILY,
  START,
  STOP,
  PROGRESS,
  LATENESS,
  UNFINISHED,
  FINISHED,
  USAGE,
  QUERY,
  EXECUTE,
  SERVED,
  CONSOLE
}
