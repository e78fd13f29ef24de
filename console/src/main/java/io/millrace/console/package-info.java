/**
 * What operators use of a tracker: the HTTP API of version 1, its pages, who may use them and who
 * did.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.console;
