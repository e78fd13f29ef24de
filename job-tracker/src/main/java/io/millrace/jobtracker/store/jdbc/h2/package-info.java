/** What H2 needs: its dialect, its file, and one writer at a time. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.h2;
