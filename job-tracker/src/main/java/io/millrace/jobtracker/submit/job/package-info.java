/** What submitting and changing a job share: its rules, its lock, its triggers. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.submit.job;
