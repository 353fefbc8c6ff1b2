package dev.satchel.server.branch;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Server processes that may be killed, on SQLite and the disk or on PostgreSQL and S3. */
final class BranchServers implements AutoCloseable {
    private final Path folder;
    private final Map<String, String> settings;
    private final @Nullable S3ProxyProcess store;
    private final List<ServerProcess> servers = new ArrayList<>();

    private BranchServers(
            Path folder, Map<String, String> settings, @Nullable S3ProxyProcess store) {
        this.folder = folder;
        this.settings = settings;
        this.store = store;
    }

    /**
     * @param snapshots how many are kept beside those of the tips
     */
    static BranchServers start(Dialect dialect, Path folder, URI sandbox, int snapshots)
            throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("SANDBOX_URL", sandbox.toString());
        settings.put("SATCHEL_SNAPSHOTS", Integer.toString(snapshots));
        settings.put("REPLAY_TURN_LIMIT", "1000");
        if (dialect == Dialect.SQLITE) {
            BranchServers one = new BranchServers(folder, settings, null);
            one.start();
            return one;
        }
        S3ProxyProcess store = S3ProxyProcess.start(Files.createDirectory(folder.resolve("s3")));
        S3Settings bucket = store.newBucket();
        settings.put("DATABASE_URL", TestDatabases.freshPostgresql().toString());
        settings.put("SATCHEL_S3_BUCKET", bucket.bucket());
        settings.put("SATCHEL_S3_ENDPOINT", String.valueOf(bucket.endpoint()));
        settings.put("SATCHEL_S3_ACCESS_KEY", "satchel");
        settings.put("SATCHEL_S3_SECRET_KEY", "not-a-secret");
        settings.put("SATCHEL_S3_PATH_STYLE", "true");
        BranchServers one = new BranchServers(folder, settings, store);
        one.start();
        return one;
    }

    private void start() throws IOException {
        servers.add(process(servers.size()));
    }

    private ServerProcess process(int number) throws IOException {
        Map<String, String> own = new HashMap<>(settings);
        own.put("SANDBOX_WORKSPACES_DIR", workspaces().toString());
        return ServerProcess.start(folder.resolve("data-" + number), own);
    }

    int count() {
        return servers.size();
    }

    ServerProcess get(int number) {
        return servers.get(number);
    }

    private Path workspaces() throws IOException {
        return Files.createDirectories(folder.resolve("workspaces"));
    }

    Path workspace(String chat) throws IOException {
        return workspaces().resolve(chat);
    }

    /** Kills a server, which starts again on its disk with {@link #restart}. */
    void kill(int number) {
        servers.get(number).kill();
    }

    void restart(int number) throws IOException {
        servers.get(number).close();
        servers.set(number, process(number));
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        if (store != null) {
            store.close();
        }
    }
}
