package io.millrace.jobtracker;

import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.metrics.GroupReadings;
import io.millrace.jobtracker.pull.PullDesk;
import java.util.Optional;

/** What gauges tell of a served node group: what was counted last, and what memory holds now. */
final class GroupState implements GroupReadings {
  /** What a count came to, and when it was made, in epoch milliseconds; 0 if there was none. */
  record Count(Backlog backlog, int workers, long at) {}

  private final PullDesk desk;
  private final LeaseTable leases;
  private volatile Count counted = new Count(Backlog.NONE, 0, 0);

  GroupState(PullDesk desk, LeaseTable leases) {
    this.desk = desk;
    this.leases = leases;
  }

  /** Takes note of a count. */
  void counted(Backlog backlog, int workers, long now) {
    counted = new Count(backlog, workers, now);
  }

  /** The last count; empty if there was none yet. */
  Optional<Count> lastCount() {
    return Optional.of(counted).filter(count -> count.at() > 0);
  }

  @Override
  public long backlog() {
    return counted.backlog().due();
  }

  @Override
  public long oldestDueAge() {
    Count last = counted;
    return last.backlog().oldestAge(last.at());
  }

  @Override
  public int freeSlots() {
    return desk.freeSlots();
  }

  @Override
  public int executing() {
    return leases.size();
  }

  @Override
  public int workers() {
    return counted.workers();
  }
}
