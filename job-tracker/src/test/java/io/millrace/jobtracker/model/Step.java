package io.millrace.jobtracker.model;

/**
 * One thing that happens. Data, so that a failing run can be shrunk.
 *
 * @param kind what happens
 * @param task which of the jobs it happens to, or to which worker
 * @param choice chooses among the ways in which it can happen; 0 or above
 */
record Step(Kind kind, int task, int choice) {

  enum Kind {
    SUBMIT,
    REPLACE,
    PAUSE,
    RESUME,
    CANCEL,
    RUN_NOW,
    GENERATE,
    TAKE,
    COMPLETE,
    BEAT,
    PASS,
    RESCUE,
    RESTART,
    ZOMBIE_TAKE
  }

  @Override
  public String toString() {
    return kind + "(" + task + "," + choice + ")";
  }
}
