/**
 * A bounded store on the local disk for what waits for a tracker: jobs of a client, results of a
 * worker. What was added is found again after the process was killed.
 *
 * <p>The only package that knows H2's MVStore.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.outbox;
