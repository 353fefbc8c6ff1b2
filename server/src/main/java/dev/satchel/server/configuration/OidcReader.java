package dev.satchel.server.configuration;

import dev.satchel.server.user.oidc.OidcSettings;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads which provider of OpenID Connect people sign in at, if any. */
final class OidcReader {
    private static final String ISSUER = "SATCHEL_OIDC_ISSUER";

    private final SettingsReader settings;

    OidcReader(SettingsReader settings) {
        this.settings = settings;
    }

    @Nullable OidcSettings read() {
        String issuer = settings.optionalText(ISSUER);
        String clientId = settings.optionalText("SATCHEL_OIDC_CLIENT_ID");
        Secret secret = settings.secret("SATCHEL_OIDC_CLIENT_SECRET");
        String roleClaim = settings.optionalText("SATCHEL_OIDC_ROLE_CLAIM");
        List<String> domains = domains();
        String name = settings.optionalText("SATCHEL_OIDC_NAME");
        if (issuer == null || clientId == null) {
            requireNone(
                    issuer != null
                            || clientId != null
                            || secret != null
                            || roleClaim != null
                            || !domains.isEmpty()
                            || name != null);
            return null;
        }
        if (!OidcSettings.isSecure(issuer)) {
            settings.problem(
                    ISSUER
                            + " must be an address such as https://login.example.com/realms/main;"
                            + " without TLS it may be of this machine only");
            return null;
        }
        return new OidcSettings(
                issuer,
                clientId,
                secret == null ? null : secret.value(),
                roleClaim,
                domains,
                name == null ? URI.create(issuer).getHost() : name);
    }

    private void requireNone(boolean isAnySet) {
        if (isAnySet) {
            settings.problem(
                    ISSUER
                            + " and SATCHEL_OIDC_CLIENT_ID are needed for every SATCHEL_OIDC setting");
        }
    }

    private List<String> domains() {
        List<String> domains =
                Stream.of(settings.text("SATCHEL_OIDC_ALLOWED_DOMAINS", "").split(",", -1))
                        .map(String::strip)
                        .filter(domain -> !domain.isEmpty())
                        .toList();
        if (!domains.stream().allMatch(domain -> domain.matches("[A-Za-z0-9.-]+"))) {
            settings.problem(
                    "SATCHEL_OIDC_ALLOWED_DOMAINS has an entry that is not a domain such as"
                            + " example.org");
        }
        return domains;
    }
}
