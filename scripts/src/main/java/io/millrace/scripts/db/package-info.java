/** {@code millrace db}: a database's schema. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.db;
