package io.millrace.common.protocol;

/** Asks for nothing but a sign of life; sent by the end that opened a connection. */
public record Ping() implements Request<PingReply> {}
