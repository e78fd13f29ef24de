/**
 * Messages as bytes: frames, and JSON bodies of exactly one form. The only package that knows
 * fastjson2, and it uses no more of it than its reader and writer of tokens: no class is ever found
 * by a name on the wire, and nothing is bound by guessing. Text is proven to be strict, shallow
 * JSON before fastjson2 sees it.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.codec;
