/** What becomes of an execution that is over: success, retry, death, and what is written of it. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.outcome;
