/** The schema: migrations, the rights that they need, and checks of its shape. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.schema;
