package dev.satchel.server.configuration;

import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.document.IndexLimits;
import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.runlog.RunLogLimits;
import dev.satchel.server.skill.SkillLimits;
import dev.satchel.server.tracing.TracingSettings;
import dev.satchel.server.user.oidc.OidcSettings;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every setting of a server, read once and checked as a whole before anything starts. */
public record Configuration(
        Network network,
        StorageConfiguration storage,
        SandboxConfiguration sandbox,
        RunLimits runs,
        BagLimits bags,
        Ages ages,
        ModelRegistry models,
        ReachableHosts reachableHosts,
        SkillLimits skills,
        IndexLimits index,
        LimitDefaults limits,
        WorkspaceLimits workspaces,
        Monitoring monitoring,
        @Nullable OidcSettings oidc) {

    /** With the usual limits of workspaces, without traces and a provider of sign-ins. */
    public Configuration(
            Network network,
            StorageConfiguration storage,
            SandboxConfiguration sandbox,
            RunLimits runs,
            BagLimits bags,
            Ages ages,
            ModelRegistry models,
            ReachableHosts reachableHosts,
            SkillLimits skills,
            IndexLimits index,
            LimitDefaults limits) {
        this(
                network,
                storage,
                sandbox,
                runs,
                bags,
                ages,
                models,
                reachableHosts,
                skills,
                index,
                limits,
                WorkspaceLimits.STANDARD,
                Monitoring.STANDARD,
                null);
    }

    /** With the usual limits of skills and of the texts of files, and none for tenants. */
    public Configuration(
            Network network,
            StorageConfiguration storage,
            SandboxConfiguration sandbox,
            RunLimits runs,
            BagLimits bags,
            Ages ages,
            ModelRegistry models,
            ReachableHosts reachableHosts) {
        this(
                network,
                storage,
                sandbox,
                runs,
                bags,
                ages,
                models,
                reachableHosts,
                SkillLimits.DEFAULT,
                IndexLimits.STANDARD,
                LimitDefaults.NONE);
    }

    /** Without a registry the runner has the model. */
    public Configuration(
            Network network,
            StorageConfiguration storage,
            SandboxConfiguration sandbox,
            RunLimits runs,
            BagLimits bags,
            Ages ages) {
        this(network, storage, sandbox, runs, bags, ages, ModelRegistry.EMPTY, ReachableHosts.NONE);
    }

    /**
     * The address on which the server listens, and the addresses by which clients and other servers
     * reach it.
     */
    public record Network(
            String host,
            int port,
            @Nullable URI publicUrl,
            @Nullable URI configuredNodeUrl,
            @Nullable Secret apiKey,
            LogFormat logFormat,
            HttpOptions http) {

        /** The address by which other servers on the same database reach this one. */
        public URI nodeUrl(int listeningPort) {
            if (configuredNodeUrl != null) {
                return configuredNodeUrl;
            }
            if (!host.equals("0.0.0.0") && !host.equals("::")) {
                return localUrl(listeningPort);
            }
            String address = InetAddress.getLoopbackAddress().getHostAddress();
            try {
                address = InetAddress.getLocalHost().getHostAddress();
            } catch (UnknownHostException e) {
                // without a host name only servers on the same machine can reach this one
            }
            return URI.create("http://" + bracketed(address) + ":" + listeningPort);
        }

        /** The address by which this machine reaches the server. */
        public URI localUrl(int listeningPort) {
            String name =
                    switch (host) {
                        case "0.0.0.0" -> "127.0.0.1"; // a client cannot connect to a wildcard
                        case "::" -> "[::1]";
                        default -> bracketed(host);
                    };
            return URI.create("http://" + name + ":" + listeningPort);
        }

        private static String bracketed(String address) {
            return address.contains(":") ? "[" + address + "]" : address;
        }
    }

    /**
     * What a server reports of itself.
     *
     * @param tenants how many tenants, of those that store most, the metrics show
     * @param tracing where spans are sent; empty when none are made
     */
    public record Monitoring(int tenants, Optional<TracingSettings> tracing) {
        public static final Monitoring STANDARD = new Monitoring(10, Optional.empty());
    }

    /**
     * The limits of one run and of its log; how many earlier turns its prompt contains; how many
     * rounds it has if its agent names no number; how many messages of a chat may wait; how long
     * its bag can be fetched; how long a server that is being stopped waits for its runs; how often
     * a run is continued after it was lost.
     */
    public record RunLimits(
            Duration total,
            Duration idle,
            RunLogLimits log,
            int replayTurns,
            int maxRounds,
            int maxQueued,
            Duration zipUrlTtl,
            Duration drain,
            int maxContinuations) {
        /** With the usual number of continuations. */
        public RunLimits(
                Duration total,
                Duration idle,
                RunLogLimits log,
                int replayTurns,
                int maxRounds,
                int maxQueued,
                Duration zipUrlTtl,
                Duration drain) {
            this(
                    total,
                    idle,
                    log,
                    replayTurns,
                    maxRounds,
                    maxQueued,
                    zipUrlTtl,
                    drain,
                    MAX_CONTINUATIONS);
        }

        public static final int MAX_CONTINUATIONS = 3;
    }

    /**
     * How long the server keeps an upload without a conversation, an unused staged asset, an idle
     * live workspace and a stored response; {@code retention} has the longer ages. With {@code
     * stagedSweep} or {@code idleWorkspace} of zero, staged assets or live workspaces are never
     * removed.
     */
    public record Ages(
            Duration temporaryUpload,
            Duration stagedFile,
            Duration stagedSweep,
            Duration idleWorkspace,
            Duration idempotencyKey,
            Retention retention) {
        public static Ages standard() {
            Duration day = Duration.ofHours(24);
            return new Ages(
                    day,
                    day,
                    Duration.ofHours(1),
                    Duration.ofMinutes(30),
                    day,
                    Retention.standard());
        }
    }

    /**
     * How long the server keeps a deleted chat, a headless run that has ended, the trace of a run,
     * the hash of an expired token and a row of the audit log. All but the first are kept for ever
     * when the duration is zero.
     */
    public record Retention(
            Duration trash,
            Duration chat,
            Duration headlessRun,
            Duration trace,
            Duration token,
            Duration audit) {
        // the copy of a chat counts as deleted until it is complete
        private static final Duration MIN_TRASH = Duration.ofHours(1);

        public Retention {
            trash = trash.compareTo(MIN_TRASH) < 0 ? MIN_TRASH : trash;
        }

        public static Retention standard() {
            return new Retention(
                    Duration.ofDays(30),
                    Duration.ZERO,
                    Duration.ofDays(90),
                    Duration.ofDays(90),
                    Duration.ofDays(7),
                    Duration.ofDays(365));
        }
    }
}
