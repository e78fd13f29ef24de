/** The table of relays. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.relay;
