/**
 * Values of applications as strict JSON of exactly one form. Uses the JDK and the tokens of {@code
 * internal.json} only. Every text, number and depth is bounded, on reading and on writing, because
 * the text may come from a stranger.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.values;
