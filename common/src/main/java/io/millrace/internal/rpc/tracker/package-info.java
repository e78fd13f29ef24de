/** The one connection that a client or a worker keeps to one of its trackers. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.rpc.tracker;
