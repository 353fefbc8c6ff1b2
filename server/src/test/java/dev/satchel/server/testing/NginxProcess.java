package dev.satchel.server.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A real nginx in front of servers, with a configuration of the guides. Whoever starts it closes
 * it.
 */
public final class NginxProcess implements AutoCloseable {
    private final Process process;
    private final URI url;

    private NginxProcess(Process process, URI url) {
        this.process = process;
        this.url = url;
    }

    /**
     * Starts one on a free port.
     *
     * @param upstream what stands beside the server block, or nothing
     * @param locations what stands in it
     */
    public static NginxProcess start(Path folder, String upstream, String locations)
            throws IOException {
        int port = FreePort.find();
        Path file = folder.resolve("nginx.conf");
        Files.writeString(file, configuration(upstream, port, locations));
        List<String> command =
                List.of(
                        DebianTool.find("usr/sbin/nginx").toString(),
                        "-p",
                        folder.toString(),
                        "-c",
                        file.toString(),
                        "-g",
                        "daemon off;");
        Path log = folder.resolve("nginx.log");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        awaitListening(process, port, log);
        return new NginxProcess(process, URI.create("http://127.0.0.1:" + port));
    }

    /** A request with the key of the test server. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url.resolve(path))
                .header("Authorization", "Bearer " + TestServer.KEY);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    private static String configuration(String upstream, int port, String locations) {
        return """
        pid nginx.pid;
        error_log stderr;
        events {}
        http {
            access_log off;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            %s
            server {
                listen 127.0.0.1:%d;
                %s
            }
        }
        """
                .formatted(upstream, port, locations);
    }

    private static void awaitListening(Process process, int port, Path log) throws IOException {
        while (true) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (!process.isAlive()) {
                    throw new IOException(Files.readString(log), e);
                }
                Thread.onSpinWait();
            }
        }
    }
}
