package dev.satchel.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a run may expect of its sandbox, wherever that is. */
public abstract class SandboxProviderContract {
    private static final int NO_DISPATCH = 400;
    private static final int UNAUTHENTICATED = 401;

    private final HttpClient client = HttpClient.newHttpClient();

    protected abstract SandboxProvider sandboxes() throws Exception;

    @Test
    void aLaunchedSandboxAnswersWhoeverHasItsSecretAndNobodyElse() throws Exception {
        try (RunningSandbox sandbox = sandboxes().launch(order())) {
            assertThat(dispatch(sandbox.url(), sandbox.secret())).isEqualTo(NO_DISPATCH);
            assertThat(dispatch(sandbox.url(), "a guess")).isEqualTo(UNAUTHENTICATED);
        }
    }

    @Test
    void twoRunsAtOnceEachHaveTheirs() throws Exception {
        try (RunningSandbox one = sandboxes().launch(order());
                RunningSandbox other = sandboxes().launch(headless())) {
            assertThat(dispatch(one.url(), one.secret())).isEqualTo(NO_DISPATCH);
            assertThat(dispatch(other.url(), other.secret())).isEqualTo(NO_DISPATCH);
        }
    }

    @Test
    void theSandboxOfALivingRunIsNotReapedAndMayBeClosedTwice() throws Exception {
        SandboxRequest order = order();
        RunningSandbox sandbox = sandboxes().launch(order);
        sandboxes().reap(order.run()::equals);
        assertThat(dispatch(sandbox.url(), sandbox.secret())).isEqualTo(NO_DISPATCH);

        sandbox.close();
        assertThatCode(sandbox::close).doesNotThrowAnyException();
    }

    @Test
    void thereIsSomebodyToAsk() throws Exception {
        SandboxProvider sandboxes = sandboxes();

        assertThatCode(sandboxes::probe).doesNotThrowAnyException();
    }

    protected static SandboxRequest order() {
        return new SandboxRequest(RunId.random(), ConversationId.random());
    }

    protected static SandboxRequest headless() {
        return new SandboxRequest(RunId.random(), null);
    }

    /** The status of an empty dispatch. */
    protected int dispatch(URI runner, @Nullable String secret)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(runner + "/stream"))
                        .header("Authorization", "Bearer " + Objects.requireNonNull(secret))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }
}
