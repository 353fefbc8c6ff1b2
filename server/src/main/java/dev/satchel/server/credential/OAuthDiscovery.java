package dev.satchel.server.credential;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds the addresses of a service: RFC 9728 for the resource, RFC 8414 for its login. */
final class OAuthDiscovery {
    private final OAuthHttp http;

    OAuthDiscovery(OAuthHttp http) {
        this.http = http;
    }

    OAuthGrant discover(OAuthSettings settings) throws IOException, InterruptedException {
        String authorizationUrl = settings.authorizationUrl();
        String tokenUrl = settings.tokenUrl();
        String resource = settings.resource();
        if (authorizationUrl != null && tokenUrl != null) {
            return grant(settings, authorizationUrl, tokenUrl, "", List.of());
        }
        if (resource == null) {
            throw new IllegalArgumentException("neither addresses nor a resource");
        }
        URI address = URI.create(resource);
        Optional<JsonNode> described = metadata(address, "oauth-protected-resource");
        URI issuer = described.flatMap(OAuthDiscovery::issuer).orElse(origin(address));
        Optional<JsonNode> login = metadata(issuer, "oauth-authorization-server");
        if (login.isEmpty()) {
            login = metadata(issuer, "openid-configuration");
        }
        JsonNode server =
                login.orElseThrow(
                        () ->
                                new OAuthException(
                                        issuer
                                                + " does not describe its login: name"
                                                + " authorizationUrl, tokenUrl and clientId",
                                        ""));
        return grant(
                settings,
                required(server, "authorization_endpoint"),
                required(server, "token_endpoint"),
                server.path("registration_endpoint").stringValue(""),
                described.map(OAuthDiscovery::scopes).orElse(List.of()));
    }

    private static OAuthGrant grant(
            OAuthSettings settings,
            String authorizationUrl,
            String tokenUrl,
            String registrationUrl,
            List<String> offeredScopes)
            throws OAuthException {
        if (settings.clientId() == null && registrationUrl.isEmpty()) {
            throw new OAuthException(
                    "the service does not register clients by itself: register one there and name"
                            + " its clientId",
                    "");
        }
        List<String> named = settings.scopes();
        return new OAuthGrant(
                settings.resource(),
                authorizationUrl,
                tokenUrl,
                registrationUrl.isEmpty() ? null : registrationUrl,
                settings.clientId(),
                settings.clientSecret(),
                null,
                named == null || named.isEmpty() ? offeredScopes : named,
                null,
                null);
    }

    /** The document for the path of the address, or else that of its host. */
    private Optional<JsonNode> metadata(URI address, String document)
            throws IOException, InterruptedException {
        String path = address.getRawPath() == null ? "" : address.getRawPath();
        String below = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String wellKnown = origin(address) + "/.well-known/" + document;
        Optional<JsonNode> found = document(wellKnown + below);
        if (found.isEmpty() && document.equals("openid-configuration")) {
            found = document(origin(address) + below + "/.well-known/" + document);
        }
        return found.isPresent() || below.isEmpty() ? found : document(wellKnown);
    }

    private Optional<JsonNode> document(String address) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address))
                        .header("Accept", "application/json")
                        .build();
        OAuthHttp.Answer answer = http.send(request);
        return answer.status() == 200 && !answer.body().isEmpty()
                ? Optional.of(answer.body())
                : Optional.empty();
    }

    private static Optional<URI> issuer(JsonNode resource) {
        String named = resource.at("/authorization_servers/0").stringValue("");
        return named.isEmpty() ? Optional.empty() : Optional.of(URI.create(named));
    }

    private static List<String> scopes(JsonNode resource) {
        return resource.path("scopes_supported")
                .valueStream()
                .map(scope -> scope.stringValue(""))
                .filter(scope -> !scope.isEmpty())
                .toList();
    }

    private static String required(JsonNode server, String field) throws OAuthException {
        String value = server.path(field).stringValue("");
        if (!value.startsWith("https://") && !value.startsWith("http://")) {
            throw new OAuthException("the service does not name its " + field, "");
        }
        return value;
    }

    private static URI origin(URI address) {
        return URI.create(address.getScheme() + "://" + address.getRawAuthority());
    }
}
