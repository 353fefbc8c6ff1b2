package dev.satchel.server.testing;

import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.S3Settings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A server with people of its tenants. Their rows are written directly, so that a test has a person
 * with a key in one step.
 */
public final class TestPeople implements AutoCloseable {
    private static final String ADD_PERSON =
            """
            INSERT INTO app_user (tenant_id, id, name, role, created_at)
            VALUES (:tenant, :id, :name, :role, 1)
            """;

    private static final String ADD_KEY =
            """
            INSERT INTO api_key (id, tenant_id, user_id, name, hash, scopes, created_at)
            VALUES (:id, :tenant, :user, 'test', :hash, :scopes, 1)
            """;

    private static final String ALL_SCOPES = "admin,agents,chat,files,read";

    private final Path data;
    private final TestServer server;
    private final Database database;

    /** A person of a tenant, and a key of theirs without restrictions. */
    public record Person(String tenant, String id, String key) {}

    private TestPeople(Path data, TestServer server, Database database) {
        this.data = data;
        this.server = server;
        this.database = database;
    }

    public static TestPeople start(Dialect dialect, @Nullable URI sandbox) throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        URI postgresql = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        return of(data, TestServer.start(data, postgresql, sandbox), postgresql);
    }

    private static TestPeople of(Path data, TestServer server, @Nullable URI postgresql) {
        Database database =
                postgresql == null
                        ? Databases.sqlite(data.resolve("satchel.db"))
                        : Databases.postgresql(postgresql);
        return new TestPeople(data, server, database);
    }

    /** With real sandboxes, and objects in a bucket if one is named. */
    public static TestPeople startWhole(Dialect dialect, @Nullable S3Settings bucket)
            throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        URI postgresql = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        Configuration whole =
                TestConfiguration.withSandbox(
                        TestServer.configuration(data, postgresql, null),
                        TestConfiguration.embedded());
        Configuration complete =
                bucket == null ? whole : TestConfiguration.withBucket(whole, bucket);
        return of(data, TestServer.start(complete, Clock.systemUTC()), postgresql);
    }

    public TestServer server() {
        return server;
    }

    public Database database() {
        return database;
    }

    /** The data directory, which has the objects. */
    public Path data() {
        return data;
    }

    /** The first owner of the default tenant. */
    public Person owner() {
        return new Person("default", "owner", TestServer.KEY);
    }

    /** A new person of an existing tenant. */
    public Person add(String tenant, UserRole role) {
        String id = UUID.randomUUID().toString();
        database.change(
                tx ->
                        tx.update(ADD_PERSON)
                                .bind("tenant", tenant)
                                .bind("id", id)
                                .bind("name", role.word() + " " + id.substring(0, 4))
                                .bind("role", role.word())
                                .execute());
        return new Person(tenant, id, key(tenant, id, ALL_SCOPES));
    }

    /** A further key of a person, with these scopes only. */
    public String key(String tenant, String user, String scopes) {
        CallerSecret key = CallerSecret.random("sk_satchel_");
        database.change(
                tx ->
                        tx.update(ADD_KEY)
                                .bind("id", UUID.randomUUID().toString())
                                .bind("tenant", tenant)
                                .bind("user", user)
                                .bind("hash", key.hash())
                                .bind("scopes", scopes)
                                .execute());
        return key.value();
    }

    @Override
    public void close() {
        server.close();
        database.close();
    }
}
