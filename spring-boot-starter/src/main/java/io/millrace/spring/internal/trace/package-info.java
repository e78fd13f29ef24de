/** Traces over submits and runs. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.trace;
