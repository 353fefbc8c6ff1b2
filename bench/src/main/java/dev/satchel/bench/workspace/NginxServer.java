package dev.satchel.bench.workspace;

import dev.satchel.bench.process.ExternalProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Debian's nginx with sendfile on one folder. */
final class NginxServer implements AutoCloseable {
    private final Path program;
    private final Path folder;
    private final int port;

    private NginxServer(Path program, Path folder, int port) {
        this.program = program;
        this.folder = folder;
        this.port = port;
    }

    /** It listens once its first process has ended. */
    static NginxServer start(Path program, Path folder, Path root)
            throws IOException, InterruptedException {
        int port = freePort();
        // its workers would become another user, who may not see the folder
        String user = System.getProperty("user.name").equals("root") ? "user root root;" : "";
        Files.writeString(folder.resolve("nginx.conf"), configuration(user, port, root));
        NginxServer nginx = new NginxServer(program, folder, port);
        String _ = nginx.command().run();
        return nginx;
    }

    private static String configuration(String user, int port, Path root) {
        return """
        %s
        worker_processes 1;
        pid nginx.pid;
        error_log error.log;
        events { worker_connections 64; }
        http {
          sendfile on;
          tcp_nopush on;
          access_log off;
          client_body_temp_path temp;
          proxy_temp_path temp;
          fastcgi_temp_path temp;
          uwsgi_temp_path temp;
          scgi_temp_path temp;
          server { listen 127.0.0.1:%d; root %s; }
        }
        """
                .formatted(user, port, root);
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        try {
            String _ = command("-s", "stop").run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ExternalProgram command(String... more) {
        List<String> usual =
                List.of(program.toString(), "-p", folder.toString(), "-c", "nginx.conf");
        return new ExternalProgram(
                Stream.concat(usual.stream(), Arrays.stream(more)).toList(), folder);
    }

    /** It cannot choose one itself. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
