package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Role;

/**
 * The sender of a request.
 *
 * @param name of the token
 * @param role of the token
 * @param address of the client
 */
public record Caller(String name, Role role, String address) {}
