/**
 * Notifies people of failures: collects events and conditions in bounded memory, decides when a
 * message about them is due, and sends messages to receivers until they are accepted. Code that
 * runs jobs never waits for anything in this package.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert.monitor;
