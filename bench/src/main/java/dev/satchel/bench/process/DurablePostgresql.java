package dev.satchel.bench.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;

/**
 * A PostgreSQL of our own; made for tests, it would otherwise write nothing through to the disk.
 */
public final class DurablePostgresql implements AutoCloseable {
    private final EmbeddedPostgres server;

    private DurablePostgresql(EmbeddedPostgres server) {
        this.server = server;
    }

    public static DurablePostgresql start() throws IOException {
        return new DurablePostgresql(
                EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .start());
    }

    /** As an operator would write it into DATABASE_URL. */
    public URI url() {
        return URI.create(
                "postgresql://postgres:postgres@localhost:%d/postgres".formatted(server.getPort()));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
