package dev.satchel.http.multipart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderParametersTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "form-data; name=f; filename=a.txt        | a.txt",
                "form-data;name=f;filename=\"a;b=c.txt\"  | a;b=c.txt",
                "form-data; FileName = \" a \" ; name=f   | ` a `",
                "form-data; name=f; filename=\"\"         | ``",
                "form-data; filename=\"a\\\"b.txt\"; name=f | a\"b.txt",
                "form-data; filename=\"C:\\dir\\a.txt\"; name=f | C:\\dir\\a.txt",
                "form-data; name=f; filename=\"no end     | no end",
                "filename=a.txt; filename*=UTF-8''%E2%9C%93%20b.txt; name=f | ✓ b.txt",
                "filename*=UTF-8'de'%E2%9C%93; filename=a.txt; name=f | ✓",
                "filename*=ISO-8859-1''%e4; name=f        | ä",
                "filename*=no-such-charset''x; filename=a; name=f | a",
                "filename*=UTF-8''100%; name=f            | 100%",
            })
    void theFilenameOfAPart(String header, String filename) {
        assertThat(HeaderParameters.parse(header))
                .containsEntry("filename", filename)
                .doesNotContainKey("form-data");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "multipart/form-data; boundary=abc              | abc",
                "multipart/form-data; charset=utf-8; boundary=\"a b\" | a b",
                "multipart/form-data;BOUNDARY=----x=y;          | ----x=y",
            })
    void theBoundaryOfABody(String header, String boundary) {
        assertThat(HeaderParameters.parse(header)).containsEntry("boundary", boundary);
    }

    @Test
    void aHeaderWithoutParametersHasNone() {
        assertThat(HeaderParameters.parse("")).isEmpty();
        assertThat(HeaderParameters.parse("form-data")).isEmpty();
        assertThat(HeaderParameters.parse(";;=;")).containsOnlyKeys("");
    }
}
