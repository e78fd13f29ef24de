/** Results of jobs, as long as the ledger keeps the ends of their executions. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.result;
