/**
 * Jobs that an application enqueues in transactions of its own database, and the relay that sends
 * them to a tracker after the commit. The only package of the client that uses a database.
 */
@NullMarked
package io.millrace.jobclient.internal.relay;

import org.jspecify.annotations.NullMarked;
