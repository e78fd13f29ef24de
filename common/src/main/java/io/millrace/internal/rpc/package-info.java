/**
 * Connections between nodes: {@link io.millrace.internal.rpc.Session} is the interface; Netty
 * implements the transport.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.rpc;
