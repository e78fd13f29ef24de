/** Leads each request to its room. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.rpc;
