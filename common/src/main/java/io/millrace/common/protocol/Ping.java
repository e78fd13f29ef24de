package io.millrace.common.protocol;

/**
 * Asks for a sign of life, and for the trackers there are; sent by the end that opened a
 * connection.
 */
public record Ping() implements Request<PingReply> {}
