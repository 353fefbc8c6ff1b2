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
    private final FaultProxy proxy;

    private PostgresProcess(EmbeddedPostgres server, FaultProxy proxy) {
        this.server = server;
        this.proxy = proxy;
    }

    public static PostgresProcess start(ScenarioContext context) throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder().start();
        return new PostgresProcess(server, new FaultProxy(server.getPort(), context.random()));
    }

    public FaultProxy proxy() {
        return proxy;
    }

    /** Another way to the same server, which can fail alone; the caller closes it. */
    public FaultProxy openProxy(ScenarioContext context) throws IOException {
        return new FaultProxy(server.getPort(), context.random());
    }

    public URI url() {
        return url(proxy);
    }

    public static URI url(FaultProxy proxy) {
        return URI.create("postgresql://postgres:postgres@127.0.0.1:" + proxy.port() + "/postgres");
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        server.close();
    }
}
