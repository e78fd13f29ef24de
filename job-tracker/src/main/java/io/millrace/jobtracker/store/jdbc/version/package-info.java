/** The table of versions of jobs. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.version;
