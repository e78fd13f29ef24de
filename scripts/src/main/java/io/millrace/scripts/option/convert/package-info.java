/** How values on the command line are read. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.option.convert;
