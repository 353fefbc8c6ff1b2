package dev.satchel.server.user;

import dev.satchel.http.Exchange;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.web.Html;
import dev.satchel.server.web.InlineStyle;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The pages with which people sign in. They look like the page, and need no script. */
final class SignInPages {
    private static final InlineStyle STYLE = InlineStyle.read("/sign-in.css");

    private static final String POLICY =
            "default-src 'none'; img-src 'self'; style-src "
                    + STYLE.source()
                    + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final String provider;

    /**
     * @param provider the name of a provider where people sign in too, or nothing
     */
    SignInPages(String provider) {
        this.provider = provider;
    }

    /** What the form is for, and what was typed before. */
    record Asked(String tenant, String email, ReturnPath page) {
        static Asked of(ReturnPath page) {
            return new Asked(TenantId.DEFAULT.value(), "", page);
        }
    }

    /**
     * Not a redirect: when a link was clicked on another site, a browser sends a SameSite=Strict
     * cookie only with requests that come from a page of this server.
     */
    void welcome(Exchange exchange) {
        welcome(exchange, ReturnPath.HOME);
    }

    /** Leads to the page that the person wanted. */
    void welcome(Exchange exchange, ReturnPath page) {
        String address = Html.escape(page.value());
        write(
                exchange,
                200,
                "You are signed in",
                "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n".formatted(address),
                "<p><a class=\"button\" href=\"%s\">Go on</a></p>".formatted(address));
    }

    /** The form for an address and a password; {@code problem} is text, or empty. */
    void signIn(Exchange exchange, int status, Asked asked, String problem) {
        write(
                exchange,
                status,
                "Sign in",
                "",
                problem(problem)
                        + """
                        <form method="post" action="/login">
                        <label>E-mail <input name="email" type="email" value="%s" required autocomplete="username"></label>
                        <label>Password <input name="password" type="password" required autocomplete="current-password"></label>
                        %s
                        <input type="hidden" name="return" value="%s">
                        <button>Sign in</button>
                        </form>
                        %s
                        <p class="note">No password yet? Ask an owner for an invitation. The operator of this server prints a link with
                        <code>./satchel login-link</code></p>
                        """
                                .formatted(
                                        Html.escape(asked.email()),
                                        workspace(asked.tenant()),
                                        Html.escape(asked.page().value()),
                                        other(asked)));
    }

    /** People of the provider belong to the default tenant. */
    private String other(Asked asked) {
        if (provider.isEmpty() || !asked.tenant().equals(TenantId.DEFAULT.value())) {
            return "";
        }
        return "<p><a class=\"button other\" href=\"/login/oidc?return=%s\">Sign in with %s</a></p>"
                .formatted(
                        URLEncoder.encode(asked.page().value(), StandardCharsets.UTF_8),
                        Html.escape(provider));
    }

    /** The default tenant is not asked for; a link to the page names another one. */
    private static String workspace(String tenant) {
        return tenant.equals(TenantId.DEFAULT.value())
                ? ""
                : "<label>Workspace <input name=\"workspace\" value=\"%s\" required></label>"
                        .formatted(Html.escape(tenant));
    }

    /** A sign-in at the provider did not succeed. */
    void refused(Exchange exchange, int status, String reason) {
        write(
                exchange,
                status,
                "You are not signed in",
                "",
                """
                <p class="problem" role="alert">%s</p>
                <p><a class="button" href="/login">Try again</a></p>
                """
                        .formatted(Html.escape(reason)));
    }

    void linkRefused(Exchange exchange, int status, String reason) {
        write(
                exchange,
                status,
                "This link does not work",
                "",
                """
                <p>%s</p>
                <p><a class="button" href="/login">Sign in with a password</a></p>
                <p class="note">The operator of this server prints a new link with <code>./satchel login-link</code>, and an owner
                makes a new invitation.</p>
                """
                        .formatted(Html.escape(reason)));
    }

    /** Asks before a link replaces the session of another person. */
    void replace(Exchange exchange, String present, String next, CallerSecret token) {
        write(
                exchange,
                200,
                "Sign in as another person?",
                "",
                """
                <p>This browser is signed in as <strong>%s</strong>. The link signs it in as <strong>%s</strong>.</p>
                <form method="post" action="/login">
                <input type="hidden" name="token" value="%s">
                <button>Sign in as %s</button>
                </form>
                <p><a href="/">Stay signed in as %s</a></p>
                """
                        .formatted(
                                Html.escape(present),
                                Html.escape(next),
                                Html.escape(token.value()),
                                Html.escape(next),
                                Html.escape(present)));
    }

    /** For an invited person, who is signed in now. */
    void choosePassword(Exchange exchange, int status, String name, String email, String problem) {
        write(
                exchange,
                status,
                "Welcome, " + name,
                "",
                problem(problem)
                        + """
                        <p>You are signed in. Choose a password to sign in again with %s.</p>
                        <form method="post" action="/login/password">
                        <input type="hidden" name="username" value="%s" autocomplete="username">
                        <label>Password <input name="password" type="password" minlength="%d" maxlength="%d" required autocomplete="new-password"></label>
                        <button>Set the password</button>
                        </form>
                        <p><a href="/">Not now</a></p>
                        """
                                .formatted(
                                        Html.escape(email),
                                        Html.escape(email),
                                        Passwords.MIN_LENGTH,
                                        Passwords.MAX_LENGTH));
    }

    private static String problem(String problem) {
        return problem.isEmpty()
                ? ""
                : "<p class=\"problem\" role=\"alert\">" + Html.escape(problem) + "</p>\n";
    }

    private static void write(
            Exchange exchange, int status, String title, String head, String body) {
        String text = Html.escape(title);
        String html =
                """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>%s · Satchel</title>
            <link rel="icon" href="/satchel.svg" type="image/svg+xml">
            %s<style>%s</style>
            </head>
            <body><main>
            <header><img src="/satchel.svg" alt="" width="28" height="28"> Satchel</header>
            <h1>%s</h1>
            %s
            </main></body>
            </html>
            """
                        .formatted(text, head, STYLE.text(), text, body);
        exchange.header("Cache-Control", "no-store");
        // The address may have a token. With no-referrer a form would be sent without its origin.
        exchange.header("Referrer-Policy", "same-origin");
        exchange.header("X-Content-Type-Options", "nosniff");
        exchange.header("Content-Security-Policy", POLICY);
        exchange.body(status, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8));
    }
}
