/** H2: its dialect, its file, and the restriction to one writer at a time. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.h2;
