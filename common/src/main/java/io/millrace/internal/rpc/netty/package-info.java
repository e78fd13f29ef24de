/** Connections over TCP and TLS; the only package of RPC that uses Netty. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.rpc.netty;
