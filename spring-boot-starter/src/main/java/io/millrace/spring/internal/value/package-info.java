/** Values as JSON, by the application's Jackson. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.value;
