package io.millrace.jobtracker.store.console;

/** What is kept for those who operate a tracker over HTTP. */
public record ConsoleStores(OperatorStore operators, AuditStore audit, FleetStores fleet) {}
