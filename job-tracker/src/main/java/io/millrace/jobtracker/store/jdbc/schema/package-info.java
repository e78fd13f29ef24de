/** The schema: migrations, the rights they take, and checks of its shape. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.schema;
