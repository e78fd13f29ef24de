/** Sentences in several languages, which are data: a catalogue of each language, by key. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.phrase;
