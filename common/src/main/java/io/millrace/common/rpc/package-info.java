/**
 * Connections between nodes: {@link io.millrace.common.rpc.Session} is the interface; Netty
 * implements the transport.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.rpc;
