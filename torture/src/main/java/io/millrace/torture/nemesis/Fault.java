package io.millrace.torture.nemesis;

/**
 * One fault of a run, injected or observed, that has been healed.
 *
 * @param kind the kind of fault
 * @param victim the affected part
 * @param beganAt when the fault took effect, in epoch milliseconds of this machine's clock
 * @param healedAt when it was undone, so that the process runs or the wire forwards again; its
 *     consequences last longer
 */
public record Fault(Kind kind, Victim victim, long beganAt, long healedAt) {

  /** The kinds of fault. */
  public enum Kind {
    /** Killed, as by kill -9, and restarted on the same data. */
    KILL,
    /** Frozen, as by kill -STOP, and resumed. */
    FREEZE,
    /** Asked to end, and restarted. */
    RESTART,
    /** Asked to end, killed before it has ended, and restarted. */
    STOP_CUT_SHORT,
    /** Ended, restarted, killed during the start, and restarted again. */
    START_CUT_SHORT,
    /** All connections are closed and new ones refused. */
    CUT,
    /** Connections stay open but data is lost; at the end they are closed because of the loss. */
    BLACK_HOLE,
    /** Connections stay open but data is held; at the end it is delivered. */
    HOLD,
    /** Data is delivered late. */
    DELAY,
    /** Stalled by itself: observed by the run, not injected. */
    STALL
  }
}
