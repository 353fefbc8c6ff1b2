package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;

/** Archives of skills. */
public final class TestSkills {
    private TestSkills() {}

    public static String instructions(String name, String description) {
        return "---\nname: %s\ndescription: %s\n---\n# How\n\nDo it.\n"
                .formatted(name, description);
    }

    /** The files of a small skill, with a script. */
    public static Map<String, String> skill(String name, String script) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("SKILL.md", instructions(name, "Does what " + name + " says"));
        files.put("scripts/run.sh", script);
        return files;
    }

    public static byte[] zip(Map<String, String> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(UTF_8));
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    public static byte[] tar(Map<String, String> files) throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        for (Map.Entry<String, String> file : files.entrySet()) {
            entry(tar, file.getKey(), '0', "", file.getValue().getBytes(UTF_8));
        }
        tar.write(new byte[1024]);
        return tar.toByteArray();
    }

    static void entry(ByteArrayOutputStream tar, String name, char type, String target, byte[] data)
            throws IOException {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644\0");
        put(header, 124, "%011o\0".formatted(data.length));
        put(header, 136, "%011o\0".formatted(1_700_000_000));
        put(header, 148, "        ");
        header[156] = (byte) type;
        put(header, 157, target);
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, "%06o\0 ".formatted(sum));
        tar.write(header);
        tar.write(Arrays.copyOf(data, (data.length + 511) / 512 * 512));
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }

    public static HttpResponse<String> upload(TestServer server, byte[] archive)
            throws IOException, InterruptedException {
        return server.send(
                server.request("/api/skills")
                        .header("Content-Type", "application/zip")
                        .POST(BodyPublishers.ofByteArray(archive))
                        .build());
    }

    public static HttpResponse<String> upload(TestServer server, String key, byte[] archive)
            throws IOException, InterruptedException {
        return server.send(
                HttpRequest.newBuilder(server.url("/api/skills"))
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/zip")
                        .POST(BodyPublishers.ofByteArray(archive))
                        .build());
    }

    public static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }
}
