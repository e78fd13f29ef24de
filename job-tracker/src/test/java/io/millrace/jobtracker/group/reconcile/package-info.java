/** Tables are broken by hand, and made whole again. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.reconcile;
