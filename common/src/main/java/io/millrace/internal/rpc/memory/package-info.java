/**
 * Connections inside one process, for clusters that are driven by hand: messages are late, lost or
 * out of order as requested.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.rpc.memory;
