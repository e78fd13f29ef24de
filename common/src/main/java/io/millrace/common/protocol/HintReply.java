package io.millrace.common.protocol;

/** Answers {@link HintRequest}: the hints were passed on. Nothing is promised of them. */
public record HintReply() {}
