/** The routes of the API, version 1, with one class for each subject. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api;
