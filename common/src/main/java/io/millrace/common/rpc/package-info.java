/**
 * Connections between nodes: {@link io.millrace.common.rpc.Session} is the seam, Netty and the
 * in-process network are behind it.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.rpc;
