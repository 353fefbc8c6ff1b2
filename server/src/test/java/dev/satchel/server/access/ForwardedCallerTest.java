package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ForwardedCallerTest {
    private static final TenantId ACME = new TenantId("acme");

    @Test
    void aCallerIsTheSameOnTheOtherServer() {
        Caller caller =
                new Caller(
                        ACME,
                        UserId.random(),
                        UserRole.VIEWER,
                        Set.of(Scope.READ, Scope.FILES),
                        CallerCredential.key("k"));

        assertThat(Caller.ofForwarded(ACME, caller.forwarded())).isEqualTo(caller);
    }

    @Test
    void aCallerWithoutScopesHasNoneOnTheOtherServer() {
        Caller caller =
                new Caller(
                        ACME, UserId.random(), UserRole.OWNER, Set.of(), CallerCredential.SERVER);

        assertThat(Caller.ofForwarded(ACME, caller.forwarded())).isEqualTo(caller);
    }

    @Test
    void halfACallerIsRefused() {
        assertThatThrownBy(() -> Caller.ofForwarded(ACME, "owner owner"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
