package dev.satchel.server.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small documents as Office writes them. */
public final class TestDocuments {
    private static final String WORD =
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

    private TestDocuments() {}

    /** A Word file with a table of two cells and a paragraph. */
    public static byte[] docx(String left, String right, String paragraph) throws IOException {
        String body =
                "<w:tbl><w:tr><w:tc>%s</w:tc><w:tc>%s</w:tc></w:tr></w:tbl>%s"
                        .formatted(p(left), p(right), p(paragraph));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            put(zip, "[Content_Types].xml", "<Types/>");
            put(
                    zip,
                    "word/document.xml",
                    "<w:document xmlns:w=\"%s\"><w:body>%s</w:body></w:document>"
                            .formatted(WORD, body));
        }
        return bytes.toByteArray();
    }

    private static String p(String text) {
        return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>";
    }

    private static void put(ZipOutputStream zip, String name, String xml) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(xml.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
