package dev.satchel.server.testing;

import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.Configuration.Ages;
import dev.satchel.server.configuration.Configuration.Retention;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.configuration.SandboxConfiguration.Remote;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.runlog.RunLogLimits;
import dev.satchel.server.skill.SkillLimits;
import dev.satchel.server.user.oidc.OidcSettings;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Configurations that differ in one part from another. */
public final class TestConfiguration {
    private TestConfiguration() {}

    /** A runner in the server's process, which finds bubblewrap on our path. */
    public static Embedded embedded() {
        return new Embedded(Map.of("PATH", System.getenv("PATH")));
    }

    public static Remote remote(URI url) {
        return new Remote(url, null, null, null);
    }

    public static Remote remote(URI url, String token) {
        return new Remote(url, new Secret(token), null, null);
    }

    /** A runner with workspaces on a disk that the server sees. */
    public static Remote remote(URI url, Path workspaces) {
        return new Remote(url, null, workspaces, null);
    }

    public static Configuration withSandbox(Configuration base, SandboxConfiguration sandbox) {
        return new Configuration(
                base.network(),
                base.storage(),
                sandbox,
                base.runs(),
                base.bags(),
                base.ages(),
                base.models(),
                base.reachableHosts());
    }

    public static Configuration withBags(Configuration base, BagLimits bags) {
        return new Configuration(
                base.network(), base.storage(), base.sandbox(), base.runs(), bags, base.ages());
    }

    public static Configuration withSkills(Configuration base, SkillLimits skills) {
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                base.runs(),
                base.bags(),
                base.ages(),
                base.models(),
                base.reachableHosts(),
                skills,
                base.index(),
                base.limits());
    }

    public static Configuration withModels(Configuration base, ModelRegistry models) {
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                base.runs(),
                base.bags(),
                base.ages(),
                models,
                base.reachableHosts());
    }

    /** With so many rounds for agents that name no number. */
    public static Configuration withMaxRounds(Configuration base, int max) {
        Configuration.RunLimits runs = base.runs();
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                new Configuration.RunLimits(
                        runs.total(),
                        runs.idle(),
                        runs.log(),
                        runs.replayTurns(),
                        max,
                        runs.maxQueued(),
                        runs.zipUrlTtl(),
                        runs.drain()),
                base.bags(),
                base.ages());
    }

    /** With other limits of the logs of runs. */
    public static Configuration withLog(Configuration base, RunLogLimits log) {
        Configuration.RunLimits runs = base.runs();
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                new Configuration.RunLimits(
                        runs.total(),
                        runs.idle(),
                        log,
                        runs.replayTurns(),
                        runs.maxRounds(),
                        runs.maxQueued(),
                        runs.zipUrlTtl(),
                        runs.drain()),
                base.bags(),
                base.ages(),
                base.models(),
                base.reachableHosts());
    }

    /** With limits of tenants. */
    public static Configuration withLimits(Configuration base, LimitDefaults limits) {
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                base.runs(),
                base.bags(),
                base.ages(),
                base.models(),
                base.reachableHosts(),
                base.skills(),
                base.index(),
                limits);
    }

    /** With other metrics and traces. */
    public static Configuration withMonitoring(
            Configuration base, Configuration.Monitoring monitoring) {
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                base.runs(),
                base.bags(),
                base.ages(),
                base.models(),
                base.reachableHosts(),
                base.skills(),
                base.index(),
                base.limits(),
                base.workspaces(),
                monitoring,
                base.oidc());
    }

    /** With limits of workspaces. */
    public static Configuration withWorkspaces(Configuration base, WorkspaceLimits workspaces) {
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                base.runs(),
                base.bags(),
                base.ages(),
                base.models(),
                base.reachableHosts(),
                base.skills(),
                base.index(),
                base.limits(),
                workspaces,
                base.monitoring(),
                base.oidc());
    }

    /** With a provider at which people sign in. */
    public static Configuration withOidc(Configuration base, OidcSettings oidc) {
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                base.runs(),
                base.bags(),
                base.ages(),
                base.models(),
                base.reachableHosts(),
                base.skills(),
                base.index(),
                base.limits(),
                base.workspaces(),
                base.monitoring(),
                oidc);
    }

    /** With objects in a bucket. */
    public static Configuration withBucket(Configuration base, S3Settings bucket) {
        StorageConfiguration storage =
                new StorageConfiguration(
                        base.storage().dataDirectory(),
                        base.storage().database(),
                        new ObjectStoreConfiguration.S3(bucket));
        return new Configuration(
                base.network(), storage, base.sandbox(), base.runs(), base.bags(), base.ages());
    }

    /** With hosts of this machine that agents and credentials may reach. */
    public static Configuration withPrivateHosts(Configuration base, String hosts) {
        return new Configuration(
                base.network(),
                base.storage(),
                base.sandbox(),
                base.runs(),
                base.bags(),
                base.ages(),
                base.models(),
                ReachableHosts.from(Map.of(ReachableHosts.VARIABLE, hosts)));
    }

    /** With the key of stored credentials. */
    public static Configuration withSecretKey(Configuration base, String key) {
        StorageConfiguration storage =
                new StorageConfiguration(
                        base.storage().dataDirectory(),
                        base.storage().database(),
                        base.storage().objects(),
                        new Secret(key));
        return new Configuration(
                base.network(), storage, base.sandbox(), base.runs(), base.bags(), base.ages());
    }

    public static Configuration withIdleWorkspace(Configuration base, Duration idle) {
        return withAges(base, idle, base.ages().retention());
    }

    public static Configuration withMaxAgeOfChats(Configuration base, Duration chat) {
        Retention retention = base.ages().retention();
        return withAges(
                base,
                base.ages().idleWorkspace(),
                new Retention(
                        retention.trash(),
                        chat,
                        retention.headlessRun(),
                        retention.trace(),
                        retention.token(),
                        retention.audit()));
    }

    private static Configuration withAges(
            Configuration base, Duration idleWorkspace, Retention retention) {
        Ages ages =
                new Ages(
                        base.ages().temporaryUpload(),
                        base.ages().stagedFile(),
                        base.ages().stagedSweep(),
                        idleWorkspace,
                        base.ages().idempotencyKey(),
                        retention);
        return new Configuration(
                base.network(), base.storage(), base.sandbox(), base.runs(), base.bags(), ages);
    }
}
