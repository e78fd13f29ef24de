/** The routes of the API of version 1, a class for each thing that is asked about. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api;
