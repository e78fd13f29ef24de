package io.millrace.torture.nemesis;

/**
 * One thing that was done to a run or befell it, and was over again.
 *
 * @param kind what was done
 * @param victim to whom
 * @param beganAt when it began to bite, in epoch milliseconds of this machine's clock
 * @param healedAt when it was undone: the process runs again, the wire carries again; what follows
 *     from it lasts longer
 */
public record Fault(Kind kind, Victim victim, long beganAt, long healedAt) {

  /** What can be done to a part of a run. */
  public enum Kind {
    /** Killed without a word, as by kill -9, and started again on the same data. */
    KILL,
    /** Frozen, as by kill -STOP, and thawed. */
    FREEZE,
    /** Asked to end, and started again. */
    RESTART,
    /** Asked to end, killed before it had ended, and started again. */
    STOP_CUT_SHORT,
    /** Ended, started again and killed while it starts, and started once more. */
    START_CUT_SHORT,
    /** All connections closed, and new ones refused. */
    CUT,
    /** Connections stay open and carry nothing; what was lost of them closes them in the end. */
    BLACK_HOLE,
    /** Connections stay open and carry nothing; what was sent meanwhile arrives in the end. */
    HOLD,
    /** What is carried arrives late. */
    DELAY,
    /** Stood still by itself: not done by the run, which only saw it. */
    STALL
  }
}
