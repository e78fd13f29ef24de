/** Random interleavings of everything that can happen to jobs, beside a model of what must hold. */
package io.millrace.jobtracker.model;
