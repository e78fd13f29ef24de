/**
 * The wires between the processes of a run, which can be cut, discard, hold or delay data. They
 * know nothing of the protocol.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.network;
