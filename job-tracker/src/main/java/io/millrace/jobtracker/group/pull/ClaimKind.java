package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.trigger.Lane;

/**
 * What a claim is for. There are many parts at a time, for as long as a run lasts: a job that falls
 * due meanwhile neither waits for a claim of parts nor goes with many. Both kinds take triggers of
 * every kind in the same order, until one of their limits is reached.
 */
enum ClaimKind {
  /** Runs that are split, and their parts. */
  PARTS(128, 128),

  /** All other triggers, and a few parts that go before them. */
  OTHERS(256, 16);

  /** Parts leave one of so many free slots of a pull to what falls due while they are claimed. */
  private static final int PARTS_LEAVE_ONE_OF = 8;

  private final int most;
  private final int mostParts;

  ClaimKind(int most, int mostParts) {
    this.most = most;
    this.mostParts = mostParts;
  }

  static ClaimKind of(Lane lane) {
    return lane.isForParts() ? PARTS : OTHERS;
  }

  /** The most triggers in one claim. */
  int most() {
    return most;
  }

  /** The most parts among them. */
  int mostParts() {
    return mostParts;
  }

  /** The most slots that one claim takes of a pull. */
  int slotsOf(int free) {
    return this == PARTS ? free - free / PARTS_LEAVE_ONE_OF : free;
  }
}
