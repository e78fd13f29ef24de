/**
 * Connections between nodes: {@link io.millrace.common.rpc.Session} is the interface; Netty and the
 * in-process network implement the transport.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.rpc;
