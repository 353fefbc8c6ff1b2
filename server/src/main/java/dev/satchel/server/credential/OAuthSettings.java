package dev.satchel.server.credential;

import dev.satchel.http.Fields;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The field {@code oauth} of {@code POST /api/credentials}. With {@code resource}, the address of
 * an MCP server or another protected resource, what is missing is looked up there; a service
 * without such metadata needs its two addresses and an id.
 */
public record OAuthSettings(
        @Nullable String resource,
        @Nullable String authorizationUrl,
        @Nullable String tokenUrl,
        @Nullable String clientId,
        @Nullable String clientSecret,
        @Nullable List<String> scopes) {
    private static final int MAX_URL = 2_000;
    private static final int MAX_TEXT = 4_096;
    private static final int MAX_SCOPES = 100;

    public OAuthSettings {
        checkUrl("oauth.resource", resource);
        checkUrl("oauth.authorizationUrl", authorizationUrl);
        checkUrl("oauth.tokenUrl", tokenUrl);
        checkText("oauth.clientId", clientId);
        checkText("oauth.clientSecret", clientSecret);
        scopes = scopes == null ? List.of() : List.copyOf(scopes);
        if (scopes.size() > MAX_SCOPES) {
            throw Fields.invalid("oauth.scopes", "has more than " + MAX_SCOPES + " entries");
        }
        for (String scope : scopes) {
            if (!scope.matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}")) {
                throw Fields.invalid("oauth.scopes", "has an entry that is not a scope");
            }
        }
        if ((authorizationUrl == null) != (tokenUrl == null)) {
            throw Fields.invalid("oauth", "needs authorizationUrl and tokenUrl together");
        }
        if (resource == null && (authorizationUrl == null || clientId == null)) {
            throw Fields.invalid(
                    "oauth", "needs resource, or authorizationUrl, tokenUrl and clientId");
        }
    }

    private static void checkUrl(String field, @Nullable String text) {
        if (text == null) {
            return;
        }
        Fields.text(field, text, MAX_URL);
        try {
            URI url = new URI(text);
            boolean isWeb = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            if (!isWeb || url.getHost() == null || url.getUserInfo() != null) {
                throw Fields.invalid(field, "must be an http or https address");
            }
        } catch (URISyntaxException e) {
            throw Fields.invalid(field, "must be an http or https address");
        }
    }

    private static void checkText(String field, @Nullable String text) {
        if (text != null) {
            Fields.text(field, text, MAX_TEXT);
        }
    }

    @Override
    public String toString() {
        return "OAuthSettings[resource=" + resource + "]";
    }
}
