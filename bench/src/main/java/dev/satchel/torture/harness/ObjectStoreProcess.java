package dev.satchel.torture.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An S3 server with one bucket, in its own process, behind a proxy that can inject faults. */
public final class ObjectStoreProcess implements AutoCloseable {
    private static final String BUCKET = "satchel";
    private static final String ACCESS_KEY = "satchel";
    private static final String SECRET_KEY = "not-a-secret";

    private final Process process;
    private final FaultProxy proxy;

    private ObjectStoreProcess(Process process, FaultProxy proxy) {
        this.process = process;
        this.proxy = proxy;
    }

    public static ObjectStoreProcess start(ScenarioContext context)
            throws IOException, InterruptedException {
        Path folder = context.createDirectory("s3");
        Path objects = folder.resolve("objects");
        Files.createDirectories(objects.resolve(BUCKET));
        int port = freePort();
        Path settings = folder.resolve("s3proxy.properties");
        Files.write(
                settings,
                List.of(
                        "s3proxy.endpoint=http://127.0.0.1:" + port,
                        "s3proxy.authorization=aws-v2-or-v4",
                        "s3proxy.identity=" + ACCESS_KEY,
                        "s3proxy.credential=" + SECRET_KEY,
                        "jclouds.provider=filesystem-nio2",
                        "jclouds.filesystem.basedir=" + objects));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                context.s3proxy().toString(),
                                "--properties",
                                settings.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("s3proxy.log").toFile())
                        .start();
        FaultProxy proxy = new FaultProxy(port, context.random());
        FaultTiming.await(() -> answers(port), "the S3 server does not start, see " + folder);
        return new ObjectStoreProcess(process, proxy);
    }

    public FaultProxy proxy() {
        return proxy;
    }

    public Map<String, String> variables() {
        return Map.of(
                "SATCHEL_S3_BUCKET", BUCKET,
                "SATCHEL_S3_ENDPOINT", "http://127.0.0.1:" + proxy.port(),
                "SATCHEL_S3_ACCESS_KEY", ACCESS_KEY,
                "SATCHEL_S3_SECRET_KEY", SECRET_KEY,
                "SATCHEL_S3_PATH_STYLE", "true");
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        process.destroyForcibly().onExit().join();
    }

    private static boolean answers(int port) throws IOException {
        try (java.net.Socket socket = new java.net.Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
