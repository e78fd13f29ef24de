package io.millrace.common.protocol;

/** Answers {@link Ping}. */
public record PingReply() {}
