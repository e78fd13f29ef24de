/** What the threads of a test do. */
@org.jspecify.annotations.NullMarked
package io.millrace.test.internal;
