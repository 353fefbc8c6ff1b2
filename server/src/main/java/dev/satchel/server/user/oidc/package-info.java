/** OpenID Connect: this server asks a provider who a person is. */
@NullMarked
package dev.satchel.server.user.oidc;

import org.jspecify.annotations.NullMarked;
