package io.millrace.console.http;

import org.jspecify.annotations.Nullable;

/**
 * What a request brings to prove who asks and from where.
 *
 * @param bearer the token of its Authorization header, or null
 * @param session the secret of its cookie, or null
 * @param csrf its header that a page of another site cannot set, or null
 * @param crossSite whether the browser says that a page of another site made it
 * @param address where it came from
 * @param cookie the name of the cookie that a browser shows in requests like this one
 */
public record Credentials(
    @Nullable String bearer,
    @Nullable String session,
    @Nullable String csrf,
    boolean crossSite,
    String address,
    String cookie) {}
