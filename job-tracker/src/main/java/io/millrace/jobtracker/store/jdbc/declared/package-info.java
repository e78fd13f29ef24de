/** The tables of declared jobs. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.declared;
