package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.http.connection.TrustedProxies;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailedLoginLimiterTest {
    private final SatchelException wrong = new SatchelException(ErrorCode.UNAUTHENTICATED, "wrong");

    private final MovableClock clock = new MovableClock();
    private final FailedLoginLimiter failures = new FailedLoginLimiter(clock, TrustedProxies.NONE);

    @Test
    void networkOfIpv6IsOneAddress() {
        assertThat(FailedLoginLimiter.network("2001:db8:1:2::1"))
                .isEqualTo(FailedLoginLimiter.network("2001:db8:1:2:ffff:1:2:3"))
                .isNotEqualTo(FailedLoginLimiter.network("2001:db8:1:3::1"));
        assertThat(FailedLoginLimiter.network("192.0.2.1")).isEqualTo("192.0.2.1");
    }

    @Test
    void manyAddressesDropTheOldestOnly() {
        guess("old");
        clock.advance(Duration.ofSeconds(1));
        guess("recent");
        for (int i = 0; i < 9_999; i++) {
            SatchelException _ = failures.count("other " + i, wrong);
        }

        assertThatCode(() -> failures.require("old", "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> failures.require("recent", ""))
                .isInstanceOf(SatchelException.class);
    }

    @Test
    void accountIsSlowedDownAndNotLocked() {
        for (int i = 0; i < 100; i++) {
            failures.countAccount("ann");
        }

        assertThatThrownBy(() -> failures.requireAccount("ann", "new address"))
                .hasMessage("too many wrong credentials, try again in 15 s");
        clock.advance(Duration.ofSeconds(15));
        assertThatCode(() -> failures.requireAccount("ann", "new address"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> failures.requireAccount("ann", "new address"))
                .isInstanceOf(SatchelException.class);
    }

    @Test
    void accountIsNotSlowedWhereItHasSignedIn() {
        failures.accepted("home", "ann");
        for (int i = 0; i < 100; i++) {
            failures.countAccount("ann");
        }

        assertThatCode(() -> failures.requireAccount("ann", "home")).doesNotThrowAnyException();
    }

    private void guess(String address) {
        for (int i = 0; i < 11; i++) {
            SatchelException _ = failures.count(address, wrong);
        }
    }
}
