package dev.satchel.server.credential;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encrypted part of an OAuth credential: the service, this client at the service, and the
 * tokens once a person has logged in.
 *
 * @param registeredFor the address to return to with which the client was registered; null when a
 *     person registered the client
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record OAuthGrant(
        @Nullable String resource,
        String authorizationUrl,
        String tokenUrl,
        @Nullable String registrationUrl,
        @Nullable String clientId,
        @Nullable String clientSecret,
        @Nullable String registeredFor,
        List<String> scopes,
        @Nullable String accessToken,
        @Nullable String refreshToken) {

    OAuthGrant {
        scopes = List.copyOf(scopes);
    }

    static OAuthGrant parse(String json) {
        return Json.MAPPER.readValue(json, OAuthGrant.class);
    }

    String toJson() {
        return Json.MAPPER.writeValueAsString(this);
    }

    OAuthGrant withClient(String id, @Nullable String secret, String redirectUri) {
        return new OAuthGrant(
                resource,
                authorizationUrl,
                tokenUrl,
                registrationUrl,
                id,
                secret,
                redirectUri,
                scopes,
                accessToken,
                refreshToken);
    }

    /** A service that sends no new refresh token lets the old one be used again. */
    OAuthGrant withTokens(String access, @Nullable String refresh) {
        return new OAuthGrant(
                resource,
                authorizationUrl,
                tokenUrl,
                registrationUrl,
                clientId,
                clientSecret,
                registeredFor,
                scopes,
                access,
                refresh == null ? refreshToken : refresh);
    }

    @Override
    public String toString() {
        return "***";
    }
}
