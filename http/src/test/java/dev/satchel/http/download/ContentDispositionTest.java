package dev.satchel.http.download;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContentDispositionTest {
    @Test
    void aPlainNameStandsTwice() {
        assertThat(ContentDisposition.attachment("index.ts"))
                .isEqualTo("attachment; filename=\"index.ts\"; filename*=UTF-8''index.ts");
    }

    @Test
    void aUnicodeNameHasAReadableFallback() {
        assertThat(ContentDisposition.attachment("naïve – 报告.pdf"))
                .isEqualTo(
                        "attachment; filename=\"naive _ __.pdf\"; "
                                + "filename*=UTF-8''na%C3%AFve%20%E2%80%93%20%E6%8A%A5%E5%91%8A.pdf");
    }

    @Test
    void noNameEndsTheHeaderEarly() {
        assertThat(ContentDisposition.attachment("a\"; x=\"\\b%41\r\nSet-Cookie: c'(1)*.txt"))
                .isEqualTo(
                        "attachment; filename=\"a_; x=__b_41__Set-Cookie: c'(1)*.txt\"; filename*="
                                + "UTF-8''a%22%3B%20x%3D%22%5Cb%2541%0D%0ASet-Cookie%3A%20c%27%281%29%2A.txt");
    }
}
