/** What runs keep between their attempts. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.kept;
