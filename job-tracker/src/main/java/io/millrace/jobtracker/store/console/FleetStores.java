package io.millrace.jobtracker.store.console;

/** What trackers tell of what they do, for operators to look at. */
public record FleetStores(WorkerStore workers, GroupLoadStore groups, MinuteCountStore counts) {}
