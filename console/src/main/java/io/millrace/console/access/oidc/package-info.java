/** Sign-in of persons through an identity provider, by OpenID Connect. */
@NullMarked
package io.millrace.console.access.oidc;

import org.jspecify.annotations.NullMarked;
