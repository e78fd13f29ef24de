/** Sentences in several languages, kept as data: one catalogue for each language, by key. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.phrase;
