/** Converts values on the command line. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.option.convert;
