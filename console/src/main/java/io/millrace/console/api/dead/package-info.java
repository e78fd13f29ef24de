/** Routes for dead triggers and their replay. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.dead;
