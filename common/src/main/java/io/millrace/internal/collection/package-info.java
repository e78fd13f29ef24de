/** Collections that the JDK does not have. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.collection;
