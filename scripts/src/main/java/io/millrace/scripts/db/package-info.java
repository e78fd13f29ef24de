/** {@code millrace db}: manages the schema of a database. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.db;
