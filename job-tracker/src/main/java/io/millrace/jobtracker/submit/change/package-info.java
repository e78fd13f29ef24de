/** Operations on stored jobs: pause, resume, cancel, terminate, run now, replay. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.submit.change;
