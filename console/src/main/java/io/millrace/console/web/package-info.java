/** The console's pages, as resources of the class path. The pages use the public API. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.web;
