/** Routes of triggers that wait, and of what is coming. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.trigger;
