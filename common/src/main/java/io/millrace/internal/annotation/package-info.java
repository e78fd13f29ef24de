/** Marks on public types that only the codec reads; a package of its own, below all others. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.annotation;
