/**
 * Records as JSON of exactly one form. The only package that uses fastjson2, and of that only the
 * reader and writer of tokens: no class is ever loaded by a name on the wire, and there is no
 * automatic binding. Text is checked to be strict, shallow JSON before fastjson2 reads it.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.codec;
