/** The bulk changes of operators, over JDBC. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.bulk;
