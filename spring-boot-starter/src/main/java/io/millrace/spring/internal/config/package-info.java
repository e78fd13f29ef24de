/** Properties, and what is made of them. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.config;
