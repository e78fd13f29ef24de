/** Routes for waiting and upcoming triggers. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.trigger;
