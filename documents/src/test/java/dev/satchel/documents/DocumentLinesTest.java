package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.documents.DocumentLine.Cut;
import dev.satchel.documents.DocumentLine.End;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLine.Header;
import dev.satchel.documents.DocumentLine.Part;
import dev.satchel.documents.DocumentLine.Picture;
import dev.satchel.protocol.MalformedLineException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentLinesTest {
    static Stream<DocumentLine> lines() {
        return Stream.of(
                new Header(DocumentFormat.PDF, 12, "Annual \"report\"\\ 😀 \u0007\r\n\t"),
                new Header(DocumentFormat.NOTEBOOK, null, null),
                new Part(DocumentPart.text(DocumentPart.Kind.SHEET, 2, "Q1", "1 | a\n2 | b")),
                new Part(new DocumentPart(DocumentPart.Kind.PAGE, 1, null, "", true, false)),
                new Part(new DocumentPart(DocumentPart.Kind.PAGE, 1, null, "read", false, true)),
                new Cut("the rest is missing"),
                new End(),
                new Failure(Failure.Code.TOO_LARGE, "more than fits"),
                new Picture(3, "image/png", "AAAA"));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void whatIsWrittenIsReadAgain(DocumentLine line) throws IOException {
        byte[] bytes = DocumentLines.encode(line);

        try (DocumentLines lines = new DocumentLines(new ByteArrayInputStream(bytes))) {
            assertThat(lines.next()).contains(line);
            assertThat(lines.next()).isEmpty();
        }
    }

    @Test
    void linesAreAsTheReadmeSays() {
        assertThat(text(new Header(DocumentFormat.PDF, 12, "Report")))
                .isEqualTo(
                        "{\"type\":\"document\",\"format\":\"pdf\",\"parts\":12,\"title\":\"Report\"}\n");
        assertThat(text(new Part(DocumentPart.text(DocumentPart.Kind.PAGE, 1, null, "a\nb"))))
                .isEqualTo(
                        "{\"type\":\"part\",\"kind\":\"page\",\"number\":1,\"text\":\"a\\nb\"}\n");
        assertThat(text(new Failure(Failure.Code.BOMB, "no")))
                .isEqualTo("{\"type\":\"error\",\"code\":\"bomb\",\"message\":\"no\"}\n");
    }

    @Test
    void halfOfASurrogatePairIsReplaced() throws IOException {
        DocumentLine line = DocumentLines.parse(DocumentLines.encode(new Cut("a\ud83db\ude00")));

        assertThat(line).isEqualTo(new Cut("a\ufffdb\ufffd"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "[]",
                "{}",
                "{\"type\":\"other\"}",
                "{\"type\":\"part\",\"kind\":\"page\",\"number\":0,\"text\":\"\"}",
                "{\"type\":\"part\",\"kind\":\"planet\",\"number\":1,\"text\":\"\"}",
                "{\"type\":\"part\",\"kind\":\"page\",\"number\":\"1\",\"text\":\"\"}",
                "{\"type\":\"part\",\"kind\":\"page\",\"number\":1}",
                "{\"type\":\"document\",\"format\":\"exe\"}",
                "{\"type\":\"error\",\"code\":\"x\",\"message\":\"\"}"
            })
    void otherLinesAreRefused(String line) {
        assertThatThrownBy(() -> DocumentLines.parse(line.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(MalformedLineException.class);
    }

    private static String text(DocumentLine line) {
        return new String(DocumentLines.encode(line), StandardCharsets.UTF_8);
    }
}
