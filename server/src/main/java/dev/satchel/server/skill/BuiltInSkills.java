package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The skills that come with Satchel, for every tenant. They are resources of the program, read at
 * the first use. Safe for many threads.
 */
final class BuiltInSkills {
    /** A release that changes a skill raises its number. */
    private static final long VERSION = 1;

    private static final String FOLDER = "/skills/";

    /** Names every file, since the resources of a jar cannot be listed. */
    private static final String INDEX = "index";

    private @Nullable Map<String, BuiltIn> loaded;

    private record BuiltIn(Skill skill, SkillContent content) {}

    Collection<Skill> all() {
        return load().values().stream().map(BuiltIn::skill).toList();
    }

    Optional<Skill> find(String name) {
        return Optional.ofNullable(load().get(name)).map(BuiltIn::skill);
    }

    /** The archive with this hash; empty for one of another release. */
    Optional<byte[]> archive(String name, String sha256) {
        return Optional.ofNullable(load().get(name))
                .filter(found -> found.skill().reference().sha256().equals(sha256))
                .map(found -> found.content().archive());
    }

    private synchronized Map<String, BuiltIn> load() {
        if (loaded == null) {
            try {
                loaded = read();
            } catch (IOException e) {
                throw new UncheckedIOException("the program has no skills", e);
            }
        }
        return loaded;
    }

    private static Map<String, BuiltIn> read() throws IOException {
        Map<String, SkillFileCollector> collected = new TreeMap<>();
        for (String path : new String(resource(INDEX), UTF_8).lines().toList()) {
            String folder = path.substring(0, path.indexOf('/'));
            try (InputStream content = open(path)) {
                collected
                        .computeIfAbsent(folder, _ -> new SkillFileCollector(SkillLimits.DEFAULT))
                        .addFile(path, content);
            }
        }
        Map<String, BuiltIn> skills = new TreeMap<>();
        collected.values().stream()
                .map(SkillFileCollector::content)
                .forEach(content -> skills.put(content.name().value(), builtIn(content)));
        return Collections.unmodifiableMap(skills);
    }

    private static BuiltIn builtIn(SkillContent content) {
        byte[] archive = content.archive();
        String sha256 = sha256(archive);
        return new BuiltIn(
                new Skill(
                        new SkillReference(
                                sha256,
                                content.name().value(),
                                VERSION,
                                true,
                                content.description(),
                                sha256,
                                content.files().size(),
                                content.bytes()),
                        null,
                        content.entries(),
                        archive.length,
                        0),
                content);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static byte[] resource(String path) throws IOException {
        try (InputStream in = open(path)) {
            return in.readAllBytes();
        }
    }

    private static InputStream open(String path) throws IOException {
        InputStream in = BuiltInSkills.class.getResourceAsStream(FOLDER + path);
        if (in == null) {
            throw new FileNotFoundException(FOLDER + path);
        }
        return in;
    }
}
