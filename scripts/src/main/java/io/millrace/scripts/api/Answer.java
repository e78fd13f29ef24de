package io.millrace.scripts.api;

/**
 * A response of the API.
 *
 * @param text the response body, unchanged
 * @param value the response body, decoded
 */
public record Answer<T>(String text, T value) {}
