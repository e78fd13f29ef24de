package io.millrace.console.api;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.batch.BatchViewStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many parts a run has, and how far they are.
 *
 * @param total all of them
 * @param ended those that have ended
 * @param succeeded those that ended SUCCEEDED; likewise failed, dead, cancelled and skipped
 * @param running those that run at workers, or were split themselves
 * @param waiting those that wait for a worker or for their next attempt
 * @param unreleased those that follow as others end
 * @param replaced dead ones in whose place another part came
 */
public record PartTally(
    int total,
    int ended,
    int succeeded,
    int failed,
    int dead,
    int cancelled,
    int skipped,
    int running,
    int waiting,
    int unreleased,
    int replaced) {

  /** Counts the parts of batches, by their ids: one more read for those of a node group. */
  public static Map<Long, PartTally> of(List<Batch> batches, BatchViewStore views) {
    Map<Long, PartTally> tallies = new HashMap<>();
    Map<String, List<Batch>> byGroup =
        batches.stream().collect(Collectors.groupingBy(Batch::nodeGroup));
    byGroup.forEach(
        (group, some) -> {
          List<Long> ids = some.stream().map(Batch::id).toList();
          Map<Long, Integer> running = views.countRunning(group, ids);
          some.forEach(
              batch -> tallies.put(batch.id(), of(batch, running.getOrDefault(batch.id(), 0))));
        });
    return tallies;
  }

  private static PartTally of(Batch batch, int atWorkers) {
    PartCounts counts = batch.counts();
    PartEnds ended = counts.ended();
    boolean isOpen = batch.state() != BatchState.STAGED;
    int running = isOpen ? Math.min(counts.live(), atWorkers) : 0;
    return new PartTally(
        counts.total(),
        ended.total(),
        ended.succeeded(),
        ended.failed(),
        ended.dead(),
        ended.cancelled(),
        ended.skipped(),
        running,
        counts.live() - running,
        counts.unreleased(),
        counts.replaced());
  }

  /** Counts the parts of a run that has ended, by what the ledger says of them. */
  public static PartTally ofEnds(Map<LedgerStatus, Long> parts) {
    int succeeded = count(parts, LedgerStatus.SUCCEEDED);
    int failed = count(parts, LedgerStatus.FAILED);
    int dead = count(parts, LedgerStatus.DEAD);
    int cancelled = count(parts, LedgerStatus.CANCELLED);
    int skipped = count(parts, LedgerStatus.SKIPPED);
    int all = succeeded + failed + dead + cancelled + skipped;
    return new PartTally(all, all, succeeded, failed, dead, cancelled, skipped, 0, 0, 0, 0);
  }

  private static int count(Map<LedgerStatus, Long> parts, LedgerStatus status) {
    return (int) Math.min(Integer.MAX_VALUE, parts.getOrDefault(status, 0L));
  }
}
