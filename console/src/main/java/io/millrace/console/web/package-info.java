/** The console's pages, as they lie on the class path. They ask the API, as any program can. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.web;
