package dev.satchel.server.user;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import org.jspecify.annotations.Nullable;

/** Changes passwords for the routes: wrong ones of before are throttled, other sessions end. */
final class PasswordChanges {
    private final Authentication access;
    private final Passwords passwords;

    PasswordChanges(Authentication access, Passwords passwords) {
        this.access = access;
        this.passwords = passwords;
    }

    void set(Exchange exchange, Caller caller, String password, @Nullable String before)
            throws InterruptedException {
        String account = "of " + caller.tenant().value() + " " + caller.user().value();
        access.requireNotThrottled(exchange, account);
        if (!passwords.set(caller, password, before)) {
            access.countWrongSecret(account);
            throw new SatchelException(ErrorCode.FORBIDDEN, "the old password is missing or wrong");
        }
    }
}
