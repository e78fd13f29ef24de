package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Rights;

/**
 * The sender of a request.
 *
 * @param name of the token
 * @param rights of the token
 * @param address of the client
 */
public record Caller(String name, Rights rights, String address) {}
