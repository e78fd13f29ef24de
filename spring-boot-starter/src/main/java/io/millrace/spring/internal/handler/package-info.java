/** Finds the methods that handle jobs, and calls them. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.handler;
