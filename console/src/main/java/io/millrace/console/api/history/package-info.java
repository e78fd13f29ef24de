/** Routes for executions, the ledger and job logs. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.history;
