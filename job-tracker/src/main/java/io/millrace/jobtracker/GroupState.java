package io.millrace.jobtracker;

import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.metrics.GroupReadings;
import io.millrace.jobtracker.pull.PullDesk;

/** What gauges tell of a served node group: what was counted last, and what memory holds now. */
final class GroupState implements GroupReadings {
  /** What the last count came to. */
  private record Counted(Backlog backlog, long oldestDueAge, int workers) {}

  private final PullDesk desk;
  private final LeaseTable leases;
  private volatile Counted counted = new Counted(Backlog.NONE, 0, 0);

  GroupState(PullDesk desk, LeaseTable leases) {
    this.desk = desk;
    this.leases = leases;
  }

  /** Takes note of a count. */
  void counted(Backlog backlog, int workers, long now) {
    counted = new Counted(backlog, backlog.oldestAge(now), workers);
  }

  @Override
  public long backlog() {
    return counted.backlog().due();
  }

  @Override
  public long oldestDueAge() {
    return counted.oldestDueAge();
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
