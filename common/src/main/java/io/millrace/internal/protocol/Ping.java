package io.millrace.internal.protocol;

/**
 * Asks for a sign of life, and for the addresses of the trackers; sent by an end whose peer is a
 * tracker.
 */
public record Ping() implements Request<PingReply> {}
