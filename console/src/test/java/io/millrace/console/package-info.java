/**
 * Tests of the console: its routes as a program sees them, and the document that describes them.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.console;
