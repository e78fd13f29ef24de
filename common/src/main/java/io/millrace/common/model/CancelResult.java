package io.millrace.common.model;

/**
 * The answer to a cancel.
 *
 * @param found whether a living job of the key existed
 * @param cancelledTriggers waiting triggers that will not run
 * @param running executions under way that were told to stop; a success of theirs still counts, no
 *     further attempt follows
 */
public record CancelResult(boolean found, int cancelledTriggers, int running) {}
