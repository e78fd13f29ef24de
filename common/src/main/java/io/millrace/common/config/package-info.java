/**
 * Typed properties for validated records.
 *
 * <p>A file that is not understood in every line is refused as a whole, with everything that is
 * wrong with it at once: unknown keys, values out of bounds, keys set twice. Nothing is clamped or
 * ignored, and a secret is never printed.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.config;
