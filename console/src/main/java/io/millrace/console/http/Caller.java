package io.millrace.console.http;

import io.millrace.jobtracker.store.console.Role;

/**
 * Who asks.
 *
 * @param name of the token
 * @param role of the token
 * @param address where the request came from
 */
public record Caller(String name, Role role, String address) {}
