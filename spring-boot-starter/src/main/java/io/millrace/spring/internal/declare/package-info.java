/** Declares the recurring jobs of the application. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.declare;
