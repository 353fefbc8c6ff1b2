package dev.satchel.server.callback;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.ServerProcessId;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a link says: only the one we made opens the zip, and only for its run. */
class SignedUrlFuzzTest {
    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    private static final CallbackUrls URLS = urls("the right key");
    private static final Run RUN = run();
    private static final long EXPIRES;
    private static final String SIGNATURE;

    static {
        String query = URI.create(URLS.zip(RUN).url()).getQuery();
        EXPIRES = Long.parseLong(query.substring(4, query.indexOf('&')));
        SIGNATURE = query.substring(query.indexOf("sig=") + 4);
    }

    static Stream<Arguments> seeds() {
        return Stream.of(
                Arguments.of(EXPIRES, SIGNATURE),
                Arguments.of(EXPIRES + 1, SIGNATURE),
                Arguments.of(EXPIRES, SIGNATURE + "="),
                Arguments.of(Long.MAX_VALUE, ""),
                Arguments.of(-1L, "\u0000"));
    }

    @MethodSource("seeds")
    @FuzzTest
    void onlyTheGenuineLinkOpens(long expires, @NotNull String signature) {
        boolean genuine = expires == EXPIRES && signature.equals(SIGNATURE);
        assertThat(URLS.opensZip(RUN, expires, signature)).isEqualTo(genuine);
        assertThat(URLS.opensZip(run(), expires, signature)).isFalse();
        assertThat(urls("another key").opensZip(RUN, expires, signature)).isFalse();
    }

    private static CallbackUrls urls(String key) {
        return new CallbackUrls(
                () -> URI.create("http://127.0.0.1:1"), key, Duration.ofMinutes(5), CLOCK);
    }

    private static Run run() {
        return new Run(
                RunId.random(),
                TenantId.DEFAULT,
                ConversationId.random(),
                new MessageId("message"),
                null,
                1,
                "prompt",
                RunSetup.plain(),
                RunStatus.RUNNING,
                new ServerProcessId("owner"),
                0,
                0,
                0,
                null);
    }
}
