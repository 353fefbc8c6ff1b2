package dev.satchel.server.user.oidc;

import dev.satchel.http.outbound.HostAndPort;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The provider that the operator has chosen, and whom it lets in.
 *
 * @param issuer exactly as the provider names itself, with or without a slash at the end
 * @param clientSecret null for a public client, which has PKCE only
 * @param roleClaim the claim with the roles of a person, or a path to it; null without one
 * @param allowedDomains in lower case; empty for every e-mail address
 * @param name how the button names the provider
 */
public record OidcSettings(
        String issuer,
        String clientId,
        @Nullable String clientSecret,
        @Nullable String roleClaim,
        List<String> allowedDomains,
        String name) {
    private static final int HTTPS = 443;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    public OidcSettings {
        if (!isSecure(issuer)) {
            throw new IllegalArgumentException("not a secure address of an issuer: " + issuer);
        }
        allowedDomains =
                allowedDomains.stream().map(domain -> domain.toLowerCase(Locale.ROOT)).toList();
    }

    /** An address with TLS, or of this machine: without TLS anyone on the way could sign in. */
    public static boolean isSecure(String address) {
        try {
            URI url = new URI(address);
            HostAndPort _ = HostAndPort.parse(String.valueOf(url.getAuthority()), HTTPS);
            String host = url.getHost();
            return host != null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null
                    && url.getRawUserInfo() == null
                    && ("https".equals(url.getScheme())
                            || ("http".equals(url.getScheme()) && LOOPBACK.contains(host)));
        } catch (URISyntaxException | IllegalArgumentException _) {
            return false;
        }
    }

    /** Whether people without an invitation may come, because something says which of them. */
    public boolean admitsUnknown() {
        return roleClaim != null || !allowedDomains.isEmpty();
    }

    /** Whether the domain of an address is allowed; subdomains are other domains. */
    public boolean allowsDomain(@Nullable String verifiedEmail) {
        if (allowedDomains.isEmpty()) {
            return true;
        }
        return verifiedEmail != null
                && allowedDomains.contains(
                        verifiedEmail
                                .substring(verifiedEmail.lastIndexOf('@') + 1)
                                .toLowerCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return "OidcSettings[" + issuer + "]";
    }
}
