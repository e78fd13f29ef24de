/** A node group that this tracker serves: what it is put together from and how it is led to. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group;
