package dev.satchel.server.configuration;

import dev.satchel.server.objectstore.S3Settings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything an operator may decide, read once and checked as a whole before anything starts. */
public record Configuration(
        Network network,
        Storage storage,
        Sandbox sandbox,
        RunLimits runs,
        BagLimits bags,
        Ages ages) {

    /** With the usual ages. */
    public Configuration(
            Network network, Storage storage, Sandbox sandbox, RunLimits runs, BagLimits bags) {
        this(network, storage, sandbox, runs, bags, Ages.standard());
    }

    /** Where we listen, and how others see us. */
    public record Network(
            String host,
            int port,
            @Nullable URI publicUrl,
            @Nullable URI ownUrl,
            @Nullable Secret apiKey,
            LogFormat logFormat) {

        /** One that other servers reach where it listens. */
        public Network(
                String host,
                int port,
                @Nullable URI publicUrl,
                @Nullable Secret apiKey,
                LogFormat logFormat) {
            this(host, port, publicUrl, null, apiKey, logFormat);
        }

        /** Where other servers on the same database reach this one. */
        public URI nodeUrl(int listening) {
            if (ownUrl != null) {
                return ownUrl;
            }
            if (!host.equals("0.0.0.0") && !host.equals("::")) {
                return localUrl(listening);
            }
            String address = InetAddress.getLoopbackAddress().getHostAddress();
            try {
                address = InetAddress.getLocalHost().getHostAddress();
            } catch (UnknownHostException e) {
                // a machine that does not know its own name has no neighbours either
            }
            String name = address.contains(":") ? "[" + address + "]" : address;
            return URI.create("http://" + name + ":" + listening);
        }

        /** Where we can be reached from this machine when we listen on a port. */
        public URI localUrl(int listening) {
            String name =
                    switch (host) {
                        case "0.0.0.0" -> "127.0.0.1"; // one listens on all, but calls one
                        case "::" -> "[::1]";
                        default -> host.contains(":") ? "[" + host + "]" : host;
                    };
            return URI.create("http://" + name + ":" + listening);
        }
    }

    /** Where rows and bytes live; without a database URL it is SQLite in the data folder. */
    public record Storage(Path dataFolder, @Nullable DatabaseUrl databaseUrl, @Nullable S3 s3) {}

    /** Where PostgreSQL is; the password in it stays out of logs. */
    public record DatabaseUrl(URI value) {
        @Override
        public String toString() {
            int port = value.getPort();
            return "postgresql://"
                    + value.getHost()
                    + (port < 0 ? "" : ":" + port)
                    + value.getPath();
        }
    }

    /** An S3-compatible store for bytes, instead of the data folder. */
    public record S3(
            String bucket,
            @Nullable URI endpoint,
            String region,
            @Nullable Secret accessKey,
            @Nullable Secret secretKey,
            boolean pathStyle) {

        /** Older stores refuse the checksums that newer ones expect nobody to leave out. */
        public S3Settings settings() {
            S3Settings.Credentials pair =
                    accessKey == null || secretKey == null
                            ? null
                            : new S3Settings.Credentials(accessKey.value(), secretKey.value());
            return new S3Settings(bucket, region, endpoint, pathStyle, endpoint != null, pair);
        }
    }

    /**
     * Where runs are dispatched to: a runner elsewhere, one of our own (which reads its settings
     * from the variables), containers of an engine, or nowhere. {@code workspaces} is where a
     * runner elsewhere keeps them, when it shares our disk.
     */
    public record Sandbox(
            @Nullable URI url,
            @Nullable Secret token,
            RunnerChoice own,
            Map<String, String> variables,
            @Nullable Path workspaces,
            Containers containers) {
        public Sandbox {
            variables = Map.copyOf(variables);
        }

        /** Without containers. */
        public Sandbox(
                @Nullable URI url,
                @Nullable Secret token,
                RunnerChoice own,
                Map<String, String> variables,
                @Nullable Path workspaces) {
            this(url, token, own, variables, workspaces, Containers.none());
        }

        public static Sandbox none() {
            return new Sandbox(null, null, RunnerChoice.NONE, Map.of(), null);
        }

        public static Sandbox at(URI url) {
            return new Sandbox(url, null, RunnerChoice.NONE, Map.of(), null);
        }

        public static Sandbox embedded(Map<String, String> variables) {
            return new Sandbox(null, null, RunnerChoice.EMBEDDED, variables, null);
        }

        /** Whether runs are lived in this very process. */
        public boolean inThisProcess() {
            return url == null && own == RunnerChoice.EMBEDDED;
        }

        @Override
        public String toString() { // the variables hold the model's key
            return "Sandbox[url=" + url + ", own=" + own + "]";
        }
    }

    /** Who lives the runs when no runner elsewhere is named. */
    public enum RunnerChoice {
        EMBEDDED,
        DOCKER,
        KUBERNETES,
        NONE
    }

    /**
     * What sandboxes in containers are made of, and the address at which they call us back if it is
     * not the public one.
     */
    public record Containers(
            String image, @Nullable URI callbackUrl, Docker docker, Kubernetes kubernetes) {
        public static Containers none() {
            return new Containers(
                    "",
                    null,
                    new Docker(Path.of("/"), "", null, null),
                    new Kubernetes("", null, null, null));
        }
    }

    /** The engine, its network, and its runtime and workspaces where they are not the usual. */
    public record Docker(
            Path socket, String network, @Nullable String runtime, @Nullable Path workspaces) {}

    /**
     * Where pods are made. With a warm pool they are claimed instead; the secret's entries become
     * variables of a pod, and the volume claim holds the workspaces.
     */
    public record Kubernetes(
            String namespace,
            @Nullable String warmPool,
            @Nullable String secret,
            @Nullable String volumeClaim) {}

    /** What one run may take, and what it is told. */
    public record RunLimits(Duration total, Duration idle, int replayTurns, Duration zipUrlTtl) {}

    /**
     * How long an upload waits for its conversation, a staged asset for its next use, a live
     * workspace for its next turn and an answer for a repeat of its request; a sweep or a wait of
     * zero length never comes to its end.
     */
    public record Ages(
            Duration temporaryUpload,
            Duration stagedFile,
            Duration stagedSweep,
            Duration idleWorkspace,
            Duration idempotencyKey) {
        public static Ages standard() {
            Duration day = Duration.ofHours(24);
            return new Ages(day, day, Duration.ofHours(1), Duration.ofMinutes(30), day);
        }
    }

    /** What one bag may hold. */
    public record BagLimits(long maxFileBytes, int maxFiles, long maxBytes) {}
}
