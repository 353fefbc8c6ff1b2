package dev.satchel.server.user.oidc;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The addresses of a provider, from its discovery document.
 *
 * @param endSession where a browser signs out; null if the provider has no such page
 * @param sendsIssuer whether every answer names the issuer (RFC 9207)
 * @param wantsSecretInForm whether it takes the secret of a client in the form only
 */
record OidcProvider(
        String authorization,
        String token,
        String keys,
        @Nullable String endSession,
        boolean sendsIssuer,
        boolean wantsSecretInForm) {

    /** Reads a document, which must be of exactly this issuer. */
    static OidcProvider read(JsonNode document, String issuer) throws IOException {
        String named = document.path("issuer").stringValue("");
        if (!named.equals(issuer)) {
            throw new IOException(
                    "SATCHEL_OIDC_ISSUER is "
                            + issuer
                            + ", but the provider names itself "
                            + named);
        }
        return new OidcProvider(
                address(document, "authorization_endpoint"),
                address(document, "token_endpoint"),
                address(document, "jwks_uri"),
                document.has("end_session_endpoint")
                        ? address(document, "end_session_endpoint")
                        : null,
                document.path("authorization_response_iss_parameter_supported").asBoolean(false),
                wantsSecretInForm(document.path("token_endpoint_auth_methods_supported")));
    }

    /** Without a list providers take the secret in a header. */
    private static boolean wantsSecretInForm(JsonNode methods) {
        return offers(methods, "client_secret_post") && !offers(methods, "client_secret_basic");
    }

    private static boolean offers(JsonNode methods, String name) {
        return methods.valueStream().anyMatch(method -> method.stringValue("").equals(name));
    }

    private static String address(JsonNode document, String field) throws IOException {
        String value = document.path(field).stringValue("");
        String withoutQuery = value.replaceFirst("\\?.*", "");
        if (!OidcSettings.isSecure(withoutQuery)) {
            throw new IOException("the provider names no secure address as its " + field);
        }
        return value;
    }
}
