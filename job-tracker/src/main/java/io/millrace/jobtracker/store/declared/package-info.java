/** What applications have declared: the jobs of an owner as declared last, and its revisions. */
@NullMarked
package io.millrace.jobtracker.store.declared;

import org.jspecify.annotations.NullMarked;
