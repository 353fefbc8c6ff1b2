package dev.satchel.torture;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL of its own, and a line to it that can be cut. */
final class Postgres implements AutoCloseable {
    private final EmbeddedPostgres server;
    private final FaultProxy line;

    private Postgres(EmbeddedPostgres server, FaultProxy line) {
        this.server = server;
        this.line = line;
    }

    static Postgres start(Arena arena) throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder().start();
        return new Postgres(server, new FaultProxy(server.getPort(), arena.random()));
    }

    FaultProxy line() {
        return line;
    }

    URI url() {
        return URI.create("postgresql://postgres:postgres@127.0.0.1:" + line.port() + "/postgres");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        line.close();
        server.close();
    }
}
