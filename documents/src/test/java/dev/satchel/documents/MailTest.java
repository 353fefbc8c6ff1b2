package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MailTest {
    private static Extraction read(String mail) throws IOException {
        return Extraction.of("a.eml", mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void headersAndBodyAreDecoded() throws IOException {
        Extraction found =
                read(
                        """
                        Received: from x
                        From: =?UTF-8?Q?J=C3=BCrgen?= <j@example.org>
                        To: ann@example.org,
                         bob@example.org
                        Date: Tue, 17 Nov 2026 06:00:00 +0000
                        Subject: =?ISO-8859-1?B?R3L832U=?=
                        MIME-Version: 1.0
                        Content-Type: text/plain; charset=iso-8859-1
                        Content-Transfer-Encoding: quoted-printable

                        Sch=F6n =
                        gesagt
                        """);

        assertThat(found.header().title()).isEqualTo("Grüße");
        assertThat(found.text())
                .isEqualTo(
                        """
                        From: Jürgen <j@example.org>
                        To: ann@example.org, bob@example.org
                        Date: Tue, 17 Nov 2026 06:00:00 +0000
                        Subject: Grüße

                        Schön gesagt""");
    }

    @Test
    void oneOfTheAlternativesIsShownAndAttachmentsAreListed() throws IOException {
        Extraction found =
                read(
                        """
                        Subject: Offer
                        Content-Type: multipart/mixed; boundary=outer

                        --outer
                        Content-Type: multipart/alternative; boundary=inner

                        --inner
                        Content-Type: text/plain

                        plain words
                        --inner
                        Content-Type: text/html

                        <p>html words</p>
                        --inner--
                        --outer
                        Content-Type: application/pdf
                        Content-Disposition: attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf
                        Content-Transfer-Encoding: base64

                        AAAAAAAA
                        --outer
                        Content-Type: message/rfc822

                        Subject: Inner
                        Content-Type: text/html; charset=utf-8

                        <p>only <b>html</b></p>
                        --outer--
                        """);

        assertThat(found.text()).contains("plain words").doesNotContain("html words");
        assertThat(found.parts())
                .filteredOn(part -> part.kind() == DocumentPart.Kind.ATTACHMENT)
                .extracting(DocumentPart::text)
                .containsExactly("résumé.pdf, application/pdf, 6 bytes");
        assertThat(found.parts())
                .filteredOn(part -> part.kind() == DocumentPart.Kind.MESSAGE)
                .extracting(DocumentPart::title)
                .containsExactlyInAnyOrder("Offer", "Inner");
        assertThat(found.text()).contains("only html");
    }

    @Test
    void japaneseAndUnknownCharsetsAreRead() throws IOException {
        byte[] japanese =
                "Subject: x\r\nContent-Type: text/plain; charset=iso-2022-jp\r\n\r\n日本語"
                        .getBytes(Charset.forName("iso-2022-jp"));

        assertThat(Extraction.of("a.eml", japanese).text()).endsWith("日本語");
        assertThat(read("Subject: x\nContent-Type: text/plain; charset=\"no such\"\n\nok\n").text())
                .endsWith("ok");
    }
}
