/** What the store knows of the versions of recurring jobs. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.version;
