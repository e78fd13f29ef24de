/** The SQL of what jobs returned. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.result;
