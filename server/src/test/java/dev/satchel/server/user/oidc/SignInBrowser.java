package dev.satchel.server.user.oidc;

import dev.satchel.server.testing.CheckedHttpClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Follows redirects between a server and a provider, with the cookies of each. */
final class SignInBrowser implements AutoCloseable {
    private record CookieKey(String authority, String name) {}

    private record Cookie(String path, String value) {}

    private final URI server;
    private final HttpClient checked = CheckedHttpClient.http11();
    private final HttpClient plain =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<CookieKey, Cookie> cookies = new HashMap<>();

    /**
     * @param server answers as the API document says
     */
    SignInBrowser(URI server) {
        this.server = server;
    }

    /** Begins at the server, goes to the provider, and as far back as redirects lead. */
    HttpResponse<String> signIn() throws IOException, InterruptedException {
        return follow(get(server.resolve("/login/oidc")));
    }

    HttpResponse<String> get(URI address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address), address);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(server.resolve(path));
    }

    HttpResponse<String> post(URI address, String form) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(BodyPublishers.ofString(form)),
                address);
    }

    HttpResponse<String> post(String path, String form) throws IOException, InterruptedException {
        return post(server.resolve(path), form);
    }

    HttpResponse<String> follow(HttpResponse<String> response)
            throws IOException, InterruptedException {
        HttpResponse<String> last = response;
        for (int hops = 0; hops < 10; hops++) {
            Optional<String> location = last.headers().firstValue("Location");
            if (location.isEmpty()) {
                return last;
            }
            last = get(last.uri().resolve(location.get()));
        }
        throw new AssertionError("too many redirects");
    }

    boolean isSignedIn() {
        return cookies.containsKey(new CookieKey(server.getAuthority(), "satchel_session"));
    }

    /** What another person finds out about this browser, or puts into theirs. */
    void copyCookiesTo(SignInBrowser other) {
        other.cookies.putAll(cookies);
    }

    @Override
    public void close() {
        checked.close();
        plain.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request, URI address)
            throws IOException, InterruptedException {
        String sent =
                cookies.entrySet().stream()
                        .filter(entry -> fits(entry.getKey(), entry.getValue(), address))
                        .map(entry -> entry.getKey().name() + "=" + entry.getValue().value())
                        .collect(Collectors.joining("; "));
        if (!sent.isEmpty()) {
            request.header("Cookie", sent);
        }
        boolean isServer = Objects.equals(address.getAuthority(), server.getAuthority());
        HttpResponse<String> response =
                (isServer ? checked : plain).send(request.build(), BodyHandlers.ofString());
        response.headers()
                .allValues("Set-Cookie")
                .forEach(header -> keep(address.getAuthority(), header));
        return response;
    }

    private static boolean fits(CookieKey key, Cookie cookie, URI address) {
        return key.authority().equals(address.getAuthority())
                && address.getPath().startsWith(cookie.path());
    }

    private void keep(String authority, String header) {
        String[] parts = header.split(";", -1);
        String[] pair = parts[0].strip().split("=", 2);
        String path = "/";
        boolean isGone = false;
        for (String part : parts) {
            String attribute = part.strip();
            if (attribute.startsWith("Path=")) {
                path = attribute.substring("Path=".length());
            }
            isGone |= attribute.equals("Max-Age=0");
        }
        CookieKey key = new CookieKey(authority, pair[0]);
        if (isGone) {
            cookies.remove(key);
        } else {
            cookies.put(key, new Cookie(path, pair[1]));
        }
    }
}
