/**
 * The wires between the processes of a run, which can be cut, swallow what they carry, and slow
 * down. Knows nothing of what goes over them.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.network;
