package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.user.ApiKeyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ApiKeysTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private final MovableClock clock = new MovableClock();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aKeyIsValidUntilItIsRevoked(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            ApiKeys keys = new ApiKeys(database, new AccessStore(), clock);
            ApiKeys.NewKey made = keys.create(ACME, "ci");

            assertThat(made.secret().value()).startsWith("sk_satchel_").hasSizeGreaterThan(50);
            assertThat(keys.findCaller(made.secret()).map(Caller::tenant)).contains(ACME);
            assertThat(keys.findCaller(new CallerSecret("sk_satchel_wrong"))).isEmpty();

            revoke(database, keys, ACME, made.key().id());
            assertThat(keys.findCaller(made.secret())).isEmpty();
            assertThat(keys.list(Caller.owner(ACME))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aTenantNeitherSeesNorRevokesTheKeysOfAnother(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            ApiKeys keys = new ApiKeys(database, new AccessStore(), clock);
            ApiKeys.NewKey made = keys.create(ACME, "ci");

            assertThat(keys.list(Caller.owner(OTHER))).isEmpty();
            assertThatThrownBy(() -> revoke(database, keys, OTHER, made.key().id()))
                    .isInstanceOf(SatchelException.class)
                    .hasMessage("no such API key");
            assertThatThrownBy(() -> revoke(database, keys, ACME, "\0"))
                    .isInstanceOf(SatchelException.class)
                    .hasMessage("no such API key");
            assertThat(keys.findCaller(made.secret()).map(Caller::tenant)).contains(ACME);
            assertThat(keys.list(Caller.owner(ACME))).isEqualTo(List.of(made.key()));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aConfiguredKeyReplacesTheOneConfiguredBefore(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            ApiKeys keys = new ApiKeys(database, new AccessStore(), clock);
            CallerSecret first = new CallerSecret("first");
            CallerSecret second = new CallerSecret("second");

            keys.acceptConfigured(first);
            keys.acceptConfigured(first); // as after a restart
            assertThat(keys.list(Caller.owner(TenantId.DEFAULT))).hasSize(1);
            keys.acceptConfigured(second);
            assertThat(keys.findCaller(first)).isEmpty();
            assertThat(keys.findCaller(second).map(Caller::tenant)).contains(TenantId.DEFAULT);
            keys.acceptConfigured(first);
            assertThat(keys.findCaller(first).map(Caller::tenant)).contains(TenantId.DEFAULT);
            assertThat(keys.findCaller(second)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRevokedFirstKeyStaysRevokedAfterARestart(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            ApiKeys keys = new ApiKeys(database, new AccessStore(), clock);
            CallerSecret key = CallerSecret.random("sk_satchel_");

            keys.acceptFirst(key);
            revoke(
                    database,
                    keys,
                    TenantId.DEFAULT,
                    keys.list(Caller.owner(TenantId.DEFAULT)).getFirst().id());
            keys.acceptFirst(key);
            assertThat(keys.findCaller(key)).isEmpty();
        }
    }

    @Test
    void theKeyFileIsCreatedOnceForItsOwnerOnly(@TempDir Path folder) throws Exception {
        ApiKeyFile file = ApiKeyFile.in(folder);

        CallerSecret made = file.readOrCreate();

        assertThat(file.readOrCreate()).isEqualTo(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file.path());
        }
    }

    @Test
    void toStringDoesNotShowACredential() {
        assertThat(CallerSecret.random("x_").toString()).isEqualTo("***");
    }

    private static void revoke(Database database, ApiKeys keys, TenantId tenant, String id) {
        database.change(
                tx ->
                        keys.revoke(
                                tx, Caller.owner(tenant), id, new ApiKeys.Revocation(true, false)));
    }
}
