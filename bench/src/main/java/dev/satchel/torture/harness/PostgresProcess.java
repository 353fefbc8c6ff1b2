package dev.satchel.torture.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL server behind a proxy that can cut connections. */
public final class PostgresProcess implements AutoCloseable {
    private final EmbeddedPostgres server;
    private final FaultProxy line;

    private PostgresProcess(EmbeddedPostgres server, FaultProxy line) {
        this.server = server;
        this.line = line;
    }

    public static PostgresProcess start(ScenarioContext arena) throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder().start();
        return new PostgresProcess(server, new FaultProxy(server.getPort(), arena.random()));
    }

    public FaultProxy line() {
        return line;
    }

    /** Another way to the same server, which can fail alone; the caller closes it. */
    public FaultProxy newLine(ScenarioContext arena) throws IOException {
        return new FaultProxy(server.getPort(), arena.random());
    }

    public URI url() {
        return url(line);
    }

    public static URI url(FaultProxy line) {
        return URI.create("postgresql://postgres:postgres@127.0.0.1:" + line.port() + "/postgres");
    }

    public void execute(String sql) throws SQLException {
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
