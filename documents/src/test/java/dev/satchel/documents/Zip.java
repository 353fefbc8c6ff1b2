package dev.satchel.documents;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes zip files of parts. */
final class Zip {
    private static final String XML = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    /** A part of XML. */
    Zip xml(String name, String content) {
        return file(name, XML + content);
    }

    Zip file(String name, String content) {
        entries.put(name, content.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    Zip file(String name, byte[] content) {
        entries.put(name, content);
        return this;
    }

    byte[] bytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                if (each.getKey().equals("mimetype")) {
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(each.getValue().length);
                    CRC32 sum = new CRC32();
                    sum.update(each.getValue());
                    entry.setCrc(sum.getValue());
                }
                zip.putNextEntry(entry);
                zip.write(each.getValue());
            }
        }
        return bytes.toByteArray();
    }

    static String relationships(String... idTypeTarget) {
        StringBuilder xml =
                new StringBuilder(
                        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">");
        for (int i = 0; i < idTypeTarget.length; i += 3) {
            boolean isExternal = idTypeTarget[i + 2].startsWith("http");
            xml.append(
                    "<Relationship Id=\"%s\" Type=\"http://x/%s\" Target=\"%s\"%s/>"
                            .formatted(
                                    idTypeTarget[i],
                                    idTypeTarget[i + 1],
                                    idTypeTarget[i + 2],
                                    isExternal ? " TargetMode=\"External\"" : ""));
        }
        return xml.append("</Relationships>").toString();
    }
}
