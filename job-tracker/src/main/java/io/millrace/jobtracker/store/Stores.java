package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.console.ConsoleStores;

/** All stores over one database. */
public record Stores(
    Transactions transactions,
    JobStore jobs,
    WaitingStore waiting,
    ExecutingStore executing,
    LedgerStore ledger,
    DeadStore dead,
    KnownJobStore knownJobs,
    FeedbackStore feedback,
    JobLogStore jobLog,
    NodeGroupStore nodeGroups,
    TrackerStore trackers,
    LiveTrackers liveTrackers,
    DatabaseTime time,
    ConsoleStores console) {

  /** Returns a copy with other live trackers. */
  public Stores withLiveTrackers(LiveTrackers others) {
    return new Stores(
        transactions,
        jobs,
        waiting,
        executing,
        ledger,
        dead,
        knownJobs,
        feedback,
        jobLog,
        nodeGroups,
        trackers,
        others,
        time,
        console);
  }
}
