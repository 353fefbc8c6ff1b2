package dev.satchel.server.access;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.function.Supplier;

/** Logs a browser in and out. */
public final class LoginRoutes {
    private static final String STYLE =
            ":root{color-scheme:light dark;background:light-dark(#fbf9f6,#191715);color:light-dark(#26211c,#ece6df);"
                    + "font:16px/1.6 system-ui,sans-serif}"
                    + "main{max-width:440px;margin:16vh auto 0;padding:24px}"
                    + "h1{font-size:24px;margin:0 0 12px}"
                    + "code{display:block;margin-top:12px;padding:11px 14px;border-radius:9px;background:light-dark(#f2eee8,#131110);"
                    + "overflow-wrap:anywhere}"
                    + "a{color:light-dark(#a34d14,#eda468)}";

    /** The policy names the hash of the only style that it allows. */
    private static final String POLICY =
            "default-src 'none'; style-src 'sha256-"
                    + Base64.getEncoder().encodeToString(sha256(STYLE))
                    + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String PAGE =
            """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Satchel</title><style>%s</style>%s</head>
            <body><main><h1>Satchel</h1><p>%s</p></main></body>
            </html>
            """;

    /**
     * Not a redirect: when the link was clicked on another site, a browser sends a SameSite=Strict
     * cookie only with requests that come from a page of this server.
     */
    private static final String WELCOME =
            PAGE.formatted(
                    STYLE,
                    "<meta http-equiv=\"refresh\" content=\"0; url=/\">",
                    "You are logged in. <a href=\"/\">Go on</a>");

    private static final String REFUSED =
            PAGE.formatted(
                    STYLE,
                    "",
                    "This login link was used before, has expired, or is unknown."
                            + " This command prints a new one: <code>./satchel login-link</code>");

    private final Authentication access;
    private final BrowserLogins logins;
    private final Supplier<URI> publicUrl;

    public LoginRoutes(Authentication access, BrowserLogins logins, Supplier<URI> publicUrl) {
        this.access = access;
        this.logins = logins;
        this.publicUrl = publicUrl;
    }

    public void addTo(Router router) {
        router.get("/login", this::logIn);
        router.post("/logout", this::logOut);
        router.post("/api/login-links", access.requireCaller(this::newLink));
    }

    /** The URL that a person opens to log in. */
    public static URI address(URI publicUrl, BrowserLogins.Link link) {
        return URI.create(publicUrl + "/login?token=" + link.token().value());
    }

    record LinkView(String url, long expiresAt) {}

    private void newLink(Exchange exchange, Caller caller) {
        BrowserLogins.Link link = logins.newLink(caller);
        exchange.json(
                201,
                new LinkView(
                        address(publicUrl.get(), link).toString(),
                        link.expiresAt().toEpochMilli()));
    }

    private void logIn(Exchange exchange) {
        if (exchange.isHead()) {
            exchange.send(204); // a preview of the link must not use it
            return;
        }
        CallerSecret token = new CallerSecret(exchange.query("token").orElse(""));
        if (access.logIn(exchange, token) || access.loggedIn(exchange)) {
            page(exchange, 200, WELCOME);
            return;
        }
        SatchelException refusal = access.wrongCredential(exchange, "the login link is not valid");
        refusal.headers().forEach(exchange::header);
        page(exchange, refusal.code().status(), REFUSED);
    }

    private void logOut(Exchange exchange) {
        access.logOut(exchange);
        exchange.send(204);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void page(Exchange exchange, int status, String html) {
        exchange.header("Cache-Control", "no-store");
        exchange.header("Referrer-Policy", "no-referrer"); // the URL has the token
        exchange.header("Content-Security-Policy", POLICY);
        exchange.body(status, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8));
    }
}
