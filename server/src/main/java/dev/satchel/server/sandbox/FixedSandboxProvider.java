package dev.satchel.server.sandbox;

import dev.satchel.server.conversation.RunId;
import java.io.IOException;
import java.net.URI;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One runner for all runs, in this process or elsewhere. */
public final class FixedSandboxProvider implements SandboxProvider {
    private final Supplier<URI> url;
    private final @Nullable String secret;

    public FixedSandboxProvider(URI url, @Nullable String secret) {
        this(() -> url, secret);
    }

    /** At an address that may have to be waited for. */
    public FixedSandboxProvider(Supplier<URI> url, @Nullable String secret) {
        this.url = url;
        this.secret = secret;
    }

    @Override
    public RunningSandbox launch(SandboxRequest order) {
        return new RunningSandbox(url.get(), secret, false, () -> {});
    }

    @Override
    public void reap(Predicate<RunId> alive) {} // a run ends with its connection

    @Override
    public void probe() throws IOException {
        RunnerHealth.ask(url.get());
    }

    @Override
    public void close() {}
}
