package io.millrace.jobtracker.domain.snapshot;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;

/**
 * A run that was split, and those of its parts that are under way.
 *
 * @param batch the run, with the counts of its parts
 * @param waiting parts that wait, at most {@value #MAX_PARTS}, in order of their numbers
 * @param running parts that run or were split themselves, at most {@value #MAX_PARTS}
 */
public record SplitRun(Batch batch, List<WaitingTrigger> waiting, List<Execution> running) {
  /** As many parts as a window of released parts may have. */
  public static final int MAX_PARTS = 1_000;

  public SplitRun {
    waiting = List.copyOf(waiting);
    running = List.copyOf(running);
  }
}
