package io.millrace.console.http;

import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.Role;

/**
 * The sender of a request.
 *
 * @param name of the token
 * @param role of the token
 * @param address of the client
 * @param groups the node groups that the token is for
 */
public record Caller(String name, Role role, String address, NodeGroups groups) {}
