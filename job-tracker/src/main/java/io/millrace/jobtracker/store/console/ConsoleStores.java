package io.millrace.jobtracker.store.console;

/** The stores for operators, who use a tracker over HTTP. */
public record ConsoleStores(
    OperatorStore operators, AuditStore audit, BulkChangeStore bulkChanges, FleetStores fleet) {}
