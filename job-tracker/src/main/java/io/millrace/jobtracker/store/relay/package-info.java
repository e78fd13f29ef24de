/** What the store knows of the relays that send requests which applications have stored. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.relay;
