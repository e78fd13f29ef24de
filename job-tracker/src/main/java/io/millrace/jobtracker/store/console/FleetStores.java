package io.millrace.jobtracker.store.console;

/** The stores of what trackers report about their work, for operators. */
public record FleetStores(WorkerStore workers, GroupLoadStore groups, MinuteCountStore counts) {}
