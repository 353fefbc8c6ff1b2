package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BackoffTest {
    private final IOException lost = new EOFException("lost");
    private final IOException nobody = new ConnectException("nobody is there");
    private final IOException busy = new ApiException(409, "request_in_progress", "wait");
    private final IOException full = new ApiException(503, "unavailable", "full");

    private int attempts;

    @Test
    void tenFailuresAreForgivenAndOneMoreIsTold() {
        assertThatThrownBy(() -> repeat(Stream.generate(() -> lost).limit(20).toList()))
                .isSameAs(lost);
        assertThat(attempts).isEqualTo(11);
    }

    @Test
    void aServerThatWasThereMayGoAndComeBack() throws Exception {
        assertThat(repeat(List.of(lost, nobody, nobody, full, busy))).isEqualTo("done");
    }

    @ParameterizedTest
    @MethodSource("finals")
    void whatAnotherTryCannotMendIsToldAtOnce(IOException failure) {
        assertThatThrownBy(() -> repeat(List.of(failure))).isSameAs(failure);
        assertThat(attempts).isEqualTo(1);
    }

    private static List<IOException> finals() {
        return List.of(
                new ConnectException("nobody is there"),
                new ApiException(503, "unavailable", "full"),
                new ApiException(409, "turn_in_progress", "busy"),
                new HttpTimeoutException("a minute"),
                new NoSuchFileException("a.txt"));
    }

    private String repeat(List<IOException> failures) throws IOException, InterruptedException {
        Deque<IOException> left = new ArrayDeque<>(failures);
        return new Backoff(0)
                .until(
                        () -> {
                            attempts++;
                            IOException next = left.poll();
                            if (next != null) {
                                throw next;
                            }
                            return "done";
                        });
    }
}
