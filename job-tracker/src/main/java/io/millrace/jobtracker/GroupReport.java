package io.millrace.jobtracker;

import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.fleet.ReportedGroup;
import io.millrace.jobtracker.preload.BacklogReader;
import io.millrace.jobtracker.pull.PullDesk;
import io.millrace.jobtracker.store.WorkerStore.Drain;
import io.millrace.jobtracker.store.WorkerStore.Worker;
import java.util.List;
import java.util.Optional;

/** A served node group, as operators are told of it. Thread-safe. */
final class GroupReport implements ReportedGroup {
  private final String name;
  private final int tracker;
  private final PullDesk desk;
  private final GroupState state;

  GroupReport(String name, int tracker, PullDesk desk, GroupState state) {
    this.name = name;
    this.tracker = tracker;
    this.desk = desk;
    this.state = state;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<Counted> counted() {
    return state.lastCount().map(this::with);
  }

  private Counted with(GroupState.Count count) {
    Backlog backlog = count.backlog();
    return new Counted(
        count.at(),
        backlog.due(),
        backlog.due() >= BacklogReader.MOST_COUNTED,
        backlog.due() == 0 ? null : (Long) backlog.oldestDueAt(),
        state.freeSlots(),
        state.executing());
  }

  @Override
  public List<Worker> workers() {
    return desk.workers().list(name, tracker);
  }

  @Override
  public void drain(List<Drain> workers) {
    desk.drain(workers);
  }

  @Override
  public void forget(Worker disconnected) {
    desk.workers().forget(disconnected);
  }
}
