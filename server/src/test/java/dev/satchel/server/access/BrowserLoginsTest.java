package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrowserLoginsTest {
    private static final TenantId ACME = new TenantId("acme");

    private final MovableClock clock = new MovableClock();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aLinkWorksForOneOfManyConcurrentRequests(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect)) {
            BrowserLogins logins = new BrowserLogins(database, new AccessStore(), clock);
            CallerSecret token = logins.newLink(Caller.owner(ACME)).token();
            AtomicInteger admitted = new AtomicInteger();
            List<Thread> browsers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                browsers.add(
                        Thread.startVirtualThread(
                                () ->
                                        redeem(database, logins, token)
                                                .ifPresent(_ -> admitted.incrementAndGet())));
            }
            for (Thread browser : browsers) {
                browser.join();
            }
            assertThat(admitted).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aLinkExpires(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            BrowserLogins logins = new BrowserLogins(database, new AccessStore(), clock);
            BrowserLogins.Link link = logins.newLink(Caller.owner(ACME));

            clock.advance(BrowserLogins.LINK_LIFETIME);

            assertThat(redeem(database, logins, link.token())).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aSessionEndsAfterThirtyDays(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            BrowserLogins logins = new BrowserLogins(database, new AccessStore(), clock);
            CallerSecret session =
                    redeem(database, logins, logins.newLink(Caller.owner(ACME)).token())
                            .orElseThrow();

            clock.advance(Duration.ofDays(29));
            assertThat(logins.find(session).map(Caller::tenant)).contains(ACME);
            clock.advance(Duration.ofDays(1));
            assertThat(logins.find(session)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anEndedSessionIsGone(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            BrowserLogins logins = new BrowserLogins(database, new AccessStore(), clock);
            CallerSecret session =
                    redeem(database, logins, logins.newLink(Caller.owner(ACME)).token())
                            .orElseThrow();

            logins.end(session);

            assertThat(logins.find(session)).isEmpty();
        }
    }

    private static Optional<CallerSecret> redeem(
            Database database, BrowserLogins logins, CallerSecret token) {
        return database.write(tx -> logins.redeem(tx, token).map(BrowserLogins.SignedIn::session));
    }
}
