/** One connection, whatever carries it: handshake, calls under way, signs of life, bounds. */
@org.jspecify.annotations.NullMarked
package io.millrace.common.rpc.connection;
