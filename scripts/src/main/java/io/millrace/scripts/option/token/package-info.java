/** Reads tokens from files and the environment. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.option.token;
