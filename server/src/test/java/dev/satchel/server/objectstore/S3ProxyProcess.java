package dev.satchel.server.objectstore;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.s3.S3Client;

/** A real S3 server, s3proxy on a directory, in a process of its own on a free loopback port. */
public final class S3ProxyProcess implements AutoCloseable {
    /** What its web server says, once it accepts connections, with the port it was given. */
    private static final Pattern STARTED =
            Pattern.compile("Started \\S*ServerConnector@.*\\{127\\.0\\.0\\.1:(\\d+)}");

    private static final S3Settings.Credentials CREDENTIALS =
            new S3Settings.Credentials("satchel", "not-a-secret");

    private final Process process;
    private final Thread killer;
    private final URI endpoint;

    private S3ProxyProcess(Process process, Thread killer, URI endpoint) {
        this.process = process;
        this.killer = killer;
        this.endpoint = endpoint;
    }

    /** Starts the server and returns when it answers; it keeps everything in the directory. */
    public static S3ProxyProcess start(Path directory) throws IOException, InterruptedException {
        Process process = launch(directory);
        Thread killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        CompletableFuture<Integer> port = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> read(process, port));
        try {
            URI endpoint = URI.create("http://127.0.0.1:" + port.get(60, TimeUnit.SECONDS));
            return new S3ProxyProcess(process, killer, endpoint);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IOException("s3proxy did not start", e);
        }
    }

    /** Settings for a new, empty bucket. */
    public S3Settings newBucket() {
        S3Settings settings = settings("bucket-" + UUID.randomUUID());
        try (S3Client client = S3Clients.of(settings)) {
            client.createBucket(b -> b.bucket(settings.bucket()));
        }
        return settings;
    }

    public S3Settings settings(String bucket) {
        return new S3Settings(bucket, "us-east-1", endpoint, true, true, CREDENTIALS);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(killer);
    }

    private static Process launch(Path directory) throws IOException {
        Path objects = Files.createDirectories(directory.resolve("objects"));
        Path settings =
                Files.write(
                        directory.resolve("s3proxy.properties"),
                        List.of(
                                "s3proxy.endpoint=http://127.0.0.1:0",
                                "s3proxy.authorization=aws-v2-or-v4",
                                "s3proxy.identity=" + CREDENTIALS.accessKey(),
                                "s3proxy.credential=" + CREDENTIALS.secretKey(),
                                "jclouds.provider=filesystem-nio2",
                                "jclouds.filesystem.basedir=" + objects.toAbsolutePath()));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path jar = Path.of(System.getProperty("basedir", "."), "target", "s3proxy", "s3proxy.jar");
        ProcessBuilder builder =
                new ProcessBuilder(
                                java.toString(),
                                "-Xmx256m",
                                "-jar",
                                jar.toString(),
                                "--properties",
                                settings.toString())
                        .redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8"); // file names are Unicode
        return builder.start();
    }

    /** Goes on reading after the start, so that the server never blocks on a full pipe. */
    private static void read(Process process, CompletableFuture<Integer> port) {
        StringBuilder said = new StringBuilder();
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                Matcher started = STARTED.matcher(line);
                if (started.find()) {
                    port.complete(Integer.valueOf(started.group(1)));
                }
                if (!port.isDone()) {
                    said.append(line).append('\n');
                }
            }
            port.completeExceptionally(new IOException("it ended, saying: " + said));
        } catch (IOException e) {
            port.completeExceptionally(e);
        }
    }
}
