/** How a store fails, by what may be done next. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.failure;
