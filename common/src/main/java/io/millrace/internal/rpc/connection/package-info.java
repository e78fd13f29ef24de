/** One connection over any transport: handshake, pending calls, signs of life, bounds. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.rpc.connection;
