package io.millrace.scripts.api;

/**
 * What the API answered.
 *
 * @param text to the letter
 * @param value the same as a record
 */
public record Answer<T>(String text, T value) {}
