package dev.satchel.documents;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** E-mails. */
class MailFuzzTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return FuzzedDocument.seeds(
                "=?utf-8?Q?=C3=A4?=\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html; charset=x\n\n<p>y\n--b\nContent-Disposition: attachment; filename*0*=utf-8''a%20b\n\nz\n--b--\n",
                "a\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogYgoKYw==\n");
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyMailHasAClearEnd(byte @NotNull [] content) throws IOException {
        FuzzedDocument.check(folder, "a.eml", "Subject: ", content);
    }
}
