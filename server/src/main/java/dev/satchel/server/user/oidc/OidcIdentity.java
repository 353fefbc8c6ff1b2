package dev.satchel.server.user.oidc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who a person is at a provider. Only the issuer and the subject together identify them.
 *
 * @param verifiedEmail an address that the provider has verified; null without one
 * @param roles the values of the role claim
 * @param idToken what a sign-out sends back to the provider
 */
public record OidcIdentity(
        String issuer,
        String subject,
        @Nullable String verifiedEmail,
        String name,
        List<String> roles,
        String idToken) {
    public OidcIdentity {
        roles = List.copyOf(roles);
    }

    @Override
    public String toString() {
        return "***";
    }
}
