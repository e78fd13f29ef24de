/**
 * Typed properties for validated records.
 *
 * <p>A file with any problem is rejected as a whole, and all problems are reported at once: unknown
 * keys, values out of bounds, keys set twice. Nothing is clamped or ignored, and a secret is never
 * printed.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.config;
