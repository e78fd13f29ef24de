/** The failures of a store, distinguished by what the caller may do next. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.failure;
