package io.millrace.internal.protocol;

/** The answer to parts that a handler makes of its run. */
public enum StageStatus {
  /** The parts are stored, now or by an earlier request of the same first number. */
  STORED,
  /** The worker does not hold the execution, or it was told to stop: nothing was stored. */
  LOST,
  /** The first number is not one more than what is stored. */
  CONFLICT,
  /** All runs below one root together would have too many parts. */
  TOO_MANY,
  /** The run is part of a part, and so on, too many times. */
  TOO_DEEP,
  /** The parameters of the run's parts would take too many bytes. */
  TOO_LARGE,
  /** A part is not valid, or a tracker is too old to know such parts; the message says which. */
  REFUSED,
  /** A value of a newer protocol. */
  UNKNOWN
}
