/**
 * Which jobs are allowed: the rules that need neither a clock nor a parser of cron expressions. A
 * tracker applies them to every submit, and a client to jobs that it keeps before it sends them.
 * Pure.
 */
@NullMarked
package io.millrace.internal.model.job;

import org.jspecify.annotations.NullMarked;
