/** A node group that this tracker serves: the objects that serve it and the calls to it. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group;
