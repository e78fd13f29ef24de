/** A tracker in the application. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.embedded;
