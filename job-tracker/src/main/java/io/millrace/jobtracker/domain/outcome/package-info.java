/** The end of an execution: success, retry or dead trigger, and the rows written for it. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.outcome;
