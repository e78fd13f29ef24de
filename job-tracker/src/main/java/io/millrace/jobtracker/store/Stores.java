package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.store.batch.BatchViewStore;
import io.millrace.jobtracker.store.batch.PartStore;
import io.millrace.jobtracker.store.batch.RunStore;
import io.millrace.jobtracker.store.console.ConsoleStores;
import io.millrace.jobtracker.store.declared.DeclaredStore;
import io.millrace.jobtracker.store.kept.KeptStore;
import io.millrace.jobtracker.store.lane.LaneStore;
import io.millrace.jobtracker.store.relay.RelayStore;
import io.millrace.jobtracker.store.result.JobResultStore;
import io.millrace.jobtracker.store.version.JobVersionStore;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** All stores over one database. */
public record Stores(
    Transactions transactions,
    JobStore jobs,
    JobVersionStore versions,
    DeclaredStore declared,
    WaitingStore waiting,
    LaneStore lanes,
    ExecutingStore executing,
    RunStore runs,
    BatchStore batches,
    PartStore parts,
    BatchViewStore batchViews,
    OneShotStore oneShots,
    LedgerStore ledger,
    JobResultStore results,
    DeadStore dead,
    KeptStore kept,
    KnownJobStore knownJobs,
    FeedbackStore feedback,
    JobLogStore jobLog,
    RelayStore relays,
    NodeGroupStore nodeGroups,
    TrackerStore trackers,
    LiveTrackers liveTrackers,
    DatabaseTime time,
    ListCounts counts,
    ConsoleStores console) {

  /**
   * Returns a copy in which another object takes the place of one component.
   *
   * @param type the type of the component
   * @param replacing returns the replacement of the component
   * @throws IllegalArgumentException if no component has the type
   */
  public <S> Stores with(Class<S> type, UnaryOperator<S> replacing) {
    if (Arrays.stream(Stores.class.getRecordComponents()).noneMatch(it -> it.getType() == type)) {
      throw new IllegalArgumentException("no component is a " + type.getName());
    }
    return new Stores(
        part(Transactions.class, transactions, type, replacing),
        part(JobStore.class, jobs, type, replacing),
        part(JobVersionStore.class, versions, type, replacing),
        part(DeclaredStore.class, declared, type, replacing),
        part(WaitingStore.class, waiting, type, replacing),
        part(LaneStore.class, lanes, type, replacing),
        part(ExecutingStore.class, executing, type, replacing),
        part(RunStore.class, runs, type, replacing),
        part(BatchStore.class, batches, type, replacing),
        part(PartStore.class, parts, type, replacing),
        part(BatchViewStore.class, batchViews, type, replacing),
        part(OneShotStore.class, oneShots, type, replacing),
        part(LedgerStore.class, ledger, type, replacing),
        part(JobResultStore.class, results, type, replacing),
        part(DeadStore.class, dead, type, replacing),
        part(KeptStore.class, kept, type, replacing),
        part(KnownJobStore.class, knownJobs, type, replacing),
        part(FeedbackStore.class, feedback, type, replacing),
        part(JobLogStore.class, jobLog, type, replacing),
        part(RelayStore.class, relays, type, replacing),
        part(NodeGroupStore.class, nodeGroups, type, replacing),
        part(TrackerStore.class, trackers, type, replacing),
        part(LiveTrackers.class, liveTrackers, type, replacing),
        part(DatabaseTime.class, time, type, replacing),
        part(ListCounts.class, counts, type, replacing),
        part(ConsoleStores.class, console, type, replacing));
  }

  private static <P, S> P part(
      Class<P> partType, P part, Class<S> type, UnaryOperator<S> replacing) {
    return partType == type ? partType.cast(replacing.apply(type.cast(part))) : part;
  }
}
