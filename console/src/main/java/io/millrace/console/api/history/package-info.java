/** Routes of executions, of the ledger and of job logs. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.history;
