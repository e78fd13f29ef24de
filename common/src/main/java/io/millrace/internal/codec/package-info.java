/**
 * Records as JSON of exactly one form, over the tokens of {@code internal.json}: no class is ever
 * loaded by a name on the wire, and there is no automatic binding.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.codec;
