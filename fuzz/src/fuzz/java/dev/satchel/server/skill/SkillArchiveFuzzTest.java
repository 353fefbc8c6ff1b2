package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.http.SatchelException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Archives and front matter of any kind are read, or refused with a status for the client. */
class SkillArchiveFuzzTest {
    static Stream<Arguments> seeds() {
        return Stream.of(
                Arguments.of("PK\3\4".getBytes(UTF_8), "name: a\ndescription: b"),
                Arguments.of(new byte[1024], "name: >\n  a\ndescription: [[[{x: y"),
                Arguments.of(new byte[] {0x1f, (byte) 0x8b, 8}, "? - &a *a\n: %TAG"));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyArchiveIsReadOrRefused(byte @NotNull [] archive, @NotNull String frontMatter) {
        orRefused(
                () -> {
                    SkillLimits limits = new SkillLimits(50, 100_000);
                    SkillContent read = new SkillArchiveReader(limits).read(archive);
                    assertThat(read.bytes()).isLessThanOrEqualTo(100_000);
                });
        orRefused(() -> FrontMatter.parse("---\n" + frontMatter + "\n---\n"));
    }

    private static void orRefused(Runnable reading) {
        try {
            reading.run();
        } catch (SatchelException e) {
            assertThat(e.code().status()).isIn(400, 413);
        }
    }
}
