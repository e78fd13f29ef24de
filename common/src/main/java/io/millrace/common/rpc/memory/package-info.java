/**
 * Connections within one thread, for clusters that are driven by hand: late, lost and doubled as
 * asked.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.rpc.memory;
