package dev.satchel.server.user;

import dev.satchel.http.BearerToken;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.BrowserLogins.SignedIn;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.User;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Signs browsers in: by one-time links, or with a password. */
public final class LoginRoutes {
    private static final String USED = "It was used before, has expired, or is unknown.";
    private static final String WRONG = "The e-mail address or the password is wrong.";

    private final Authentication access;
    private final SignInService signIn;
    private final PasswordChanges passwords;
    private final SignInPages pages;
    private final BrowserLogins logins;
    private final Supplier<URI> publicUrl;

    LoginRoutes(
            Authentication access,
            SignInService signIn,
            PasswordChanges passwords,
            SignInPages pages,
            BrowserLogins logins,
            Supplier<URI> publicUrl) {
        this.access = access;
        this.signIn = signIn;
        this.passwords = passwords;
        this.pages = pages;
        this.logins = logins;
        this.publicUrl = publicUrl;
    }

    void addTo(Router router) {
        router.get("/login", this::open);
        router.post("/login", this::submit);
        router.post("/login/password", this::choosePassword);
        router.post(
                "/api/login-links",
                access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::newLink));
    }

    /** The URL that a person opens to sign in. */
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

    private void open(Exchange exchange) {
        Optional<CallerSecret> token = exchange.query("token").map(CallerSecret::new);
        if (token.isEmpty()) {
            String tenant = exchange.query("workspace").orElse(TenantId.DEFAULT.value());
            ReturnPath page = ReturnPath.of(exchange.query("return"));
            pages.signIn(exchange, 200, new SignInPages.Asked(tenant, "", page), "");
            return;
        }
        Optional<Caller> present = access.signedIn(exchange);
        Optional<Caller> next = isThrottled(exchange) ? Optional.empty() : signIn.peek(token.get());
        if (next.isEmpty()) {
            refuseLink(exchange, present);
        } else if (exchange.isHead()) {
            pages.welcome(exchange); // a preview of the link must not use it
        } else if (present.isPresent() && !isSamePerson(present.get(), next.get())) {
            pages.replace(
                    exchange, signIn.name(present.get()), signIn.name(next.get()), token.get());
        } else {
            useLink(exchange, token.get(), present);
        }
    }

    private boolean isThrottled(Exchange exchange) {
        try {
            access.requireNotThrottled(exchange);
            return false;
        } catch (SatchelException e) {
            return true;
        }
    }

    private static boolean isSamePerson(Caller one, Caller other) {
        return one.tenant().equals(other.tenant()) && one.user().equals(other.user());
    }

    private void useLink(Exchange exchange, CallerSecret token, Optional<Caller> present) {
        Optional<SignedIn> opened = signIn.byLink(token);
        if (opened.isEmpty()) {
            refuseLink(exchange, present); // another request was faster
            return;
        }
        access.signIn(exchange, opened.get());
        Caller caller = opened.get().caller();
        Optional<User> invited =
                isInvited(caller.credential()) ? signIn.find(caller) : Optional.empty();
        String email = invited.map(User::email).orElse(null);
        if (email == null) {
            pages.welcome(exchange);
        } else {
            pages.choosePassword(exchange, 200, invited.get().name(), email, "");
        }
    }

    private static boolean isInvited(CallerCredential credential) {
        return credential.equals(CallerCredential.INVITATION)
                || credential.equals(CallerCredential.RESET);
    }

    /** A browser that is signed in goes on with a link that was used before. */
    private void refuseLink(Exchange exchange, Optional<Caller> present) {
        if (present.isPresent()) {
            pages.welcome(exchange);
            return;
        }
        SatchelException refusal = access.wrongCredential(exchange, USED);
        refusal.headers().forEach(exchange::header);
        pages.linkRefused(exchange, refusal.code().status(), refusal.text());
    }

    /** A form: with the token of a link after the question, or with a password. */
    private void submit(Exchange exchange) throws IOException, InterruptedException {
        access.requireSameOrigin(exchange);
        SignInForm form = SignInForm.read(exchange);
        Optional<CallerSecret> token = form.find("token").map(CallerSecret::new);
        if (token.isPresent()) {
            access.requireNotThrottled(exchange);
            useLink(exchange, token.get(), Optional.empty());
            return;
        }
        submitPassword(exchange, form);
    }

    private void submitPassword(Exchange exchange, SignInForm form) throws InterruptedException {
        String tenant = form.find("workspace").orElse(TenantId.DEFAULT.value());
        String email = form.find("email").orElse("");
        ReturnPath page = ReturnPath.of(form.find("return"));
        String account = tenant + " " + email.strip().toLowerCase(Locale.ROOT);
        try {
            access.requireNotThrottled(exchange, account);
            SignedIn opened =
                    signIn.byPassword(tenant, email, form.find("password").orElse(""))
                            .orElseThrow(() -> access.wrongPassword(exchange, account, WRONG));
            access.rightPassword(exchange, account);
            access.signIn(exchange, opened);
            seeOther(exchange, page.value());
        } catch (SatchelException refusal) {
            refusal.headers().forEach(exchange::header);
            pages.signIn(
                    exchange,
                    refusal.code().status(),
                    new SignInPages.Asked(tenant, email, page),
                    refusal.text());
        }
    }

    private void choosePassword(Exchange exchange) throws IOException, InterruptedException {
        access.requireSameOrigin(exchange);
        Caller caller =
                access.signedIn(exchange)
                        .orElseThrow(() -> BearerToken.unauthenticated("the login has ended"));
        User user = signIn.find(caller).orElseThrow();
        String email = Optional.ofNullable(user.email()).orElse("");
        try {
            SignInForm form = SignInForm.read(exchange);
            passwords.set(
                    exchange,
                    caller,
                    form.find("password").orElse(""),
                    form.find("oldPassword").orElse(null));
            seeOther(exchange, "/");
            access.open().endRevoked();
        } catch (SatchelException refusal) {
            pages.choosePassword(
                    exchange, refusal.code().status(), user.name(), email, refusal.text());
        }
    }

    private static void seeOther(Exchange exchange, String address) {
        exchange.header("Location", address);
        exchange.header("Cache-Control", "no-store");
        exchange.send(303);
    }
}
