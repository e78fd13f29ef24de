package io.millrace.torture.plant;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A fault that can be built into the trackers of a run. */
public enum Plant {
  /** A claim of every tenth row leaves the row in the waiting table, once. */
  CLAIM_WITHOUT_DELETE,
  /** Submits are acknowledged half a second before they are committed. */
  ACK_BEFORE_COMMIT,
  /** Steps of every third execution are acknowledged and not stored. */
  FORGET_STEPS,
  /** A trigger finds the step of an earlier one of its task id. */
  STEPS_BY_TASK_ID,
  /** A replay finds no step of the dead trigger. */
  REPLAY_WITHOUT_STEPS,
  /** Each dead trigger may be replayed twice. */
  REPLAY_TWICE,
  /** The first claim that splits a run of each job leaves its row, and it is split again. */
  SPLIT_TWICE,
  /** The first end of a part of each batch is counted twice, as if its report came twice. */
  COUNT_PARTS_TWICE,
  /** The first end of a part of each batch is not counted, as by a tracker that knows no parts. */
  FORGET_PART_ENDS,
  /** A cancel does not ask the parts of a run to stop, and they are retried after it. */
  RETRY_STOPPED_PARTS,
  /** A tracker that has just started awaits no worker for a broadcast. */
  BROADCAST_TO_FEW,
  /** Executions are taken from workers that still hold a lease. */
  RESCUE_WITHOUT_LEASE;

  /**
   * Parses a name from the command line.
   *
   * @throws IllegalArgumentException if the name is unknown; the message lists the valid ones
   */
  public static Plant parse(String name) {
    return Arrays.stream(values())
        .filter(plant -> plant.toString().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is none of %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(Plant::toString)
                                .collect(Collectors.joining(", ")))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
