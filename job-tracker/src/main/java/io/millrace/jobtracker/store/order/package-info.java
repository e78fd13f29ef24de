/** The orders in which lists are read. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.order;
