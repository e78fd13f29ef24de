package io.millrace.internal.protocol;

/**
 * Answers {@link HintRequest}: the hints were passed on. Whether they have an effect is not
 * guaranteed.
 */
public record HintReply() {}
