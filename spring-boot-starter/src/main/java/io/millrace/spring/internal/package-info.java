/** The auto-configuration of Millrace in Spring Boot applications. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal;
