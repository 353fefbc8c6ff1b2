package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.SatchelException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an archive of a skill may be, and which words refuse another. */
class SkillArchiveReaderTest {
    private static final SkillLimits LIMITS = new SkillLimits(10, 4_000);
    private final SkillArchiveReader reader = new SkillArchiveReader(LIMITS);

    @Test
    void zipAndTarAndPackedTarHaveTheSameSkill() throws Exception {
        Map<String, String> files = TestSkills.skill("do-it", "#!/bin/sh\necho done\n");
        Map<String, String> inFolder = new LinkedHashMap<>();
        files.forEach((path, text) -> inFolder.put("./any name/" + path, text));
        List<byte[]> archives =
                List.of(
                        TestSkills.zip(files),
                        TestSkills.tar(files),
                        TestSkills.gzip(TestSkills.tar(files)),
                        TestSkills.zip(inFolder),
                        TestSkills.tar(inFolder));

        byte[] canonical = reader.read(archives.getFirst()).archive();
        for (byte[] archive : archives) {
            SkillContent skill = reader.read(archive);
            assertThat(skill.name().value()).isEqualTo("do-it");
            assertThat(skill.description()).isEqualTo("Does what do-it says");
            assertThat(skill.files()).containsOnlyKeys("SKILL.md", "scripts/run.sh");
            assertThat(skill.archive()).isEqualTo(canonical);
        }
        assertThat(reader.read(canonical).archive()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../out.txt",
                "a/../../out.txt",
                "/etc/passwd",
                "a\\b.txt",
                "line\nbreak",
                "a/../SKILL.md"
            })
    void aPathThatLeadsOutIsRefusedWithItsName(String path) throws Exception {
        Map<String, String> files = TestSkills.skill("do-it", "");
        files.put(path, "x");

        assertRefused(TestSkills.zip(files), 400, "is not a path for a file of a skill");
        assertRefused(TestSkills.tar(files), 400, "is not a path for a file of a skill");
    }

    @Test
    void aLinkIsRefusedInBothKinds() throws Exception {
        for (char type : new char[] {'1', '2'}) {
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            TestSkills.entry(tar, "SKILL.md", '0', "", new byte[0]);
            TestSkills.entry(tar, "secrets", type, "/etc/passwd", new byte[0]);
            assertRefused(tar.toByteArray(), 400, "\"secrets\" is a link");
        }
        Map<String, String> files = TestSkills.skill("do-it", "");
        files.put("secrets", "/etc/passwd");
        byte[] zip = TestSkills.zip(files);
        int entry = lastIndexOf(zip, "PK\1\2");
        zip[entry + 5] = 3; // made by Unix
        zip[entry + 41] = (byte) 0xa1; // a symbolic link
        assertRefused(zip, 400, "\"secrets\" is a link");
    }

    @Test
    void aDeviceIsRefused() throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        TestSkills.entry(tar, "pipe", '6', "", new byte[0]);
        assertRefused(tar.toByteArray(), 400, "\"pipe\" is neither a file nor a folder");
    }

    @Test
    void aNameThatAppearsTwiceIsRefused() throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        for (String name : List.of("SKILL.md", "./SKILL.md")) {
            TestSkills.entry(tar, name, '0', "", "x".getBytes(UTF_8));
        }
        assertRefused(tar.toByteArray(), 400, "is in the archive twice");
        assertRefused(
                TestSkills.tar(ordered("a", "file", "a/b", "in it")), 400, "a file and a folder");
        assertRefused(
                TestSkills.tar(ordered("a/b", "in it", "a", "file")), 400, "a file and a folder");
    }

    @Test
    void tooManyFilesAndTooManyBytesNameTheLimit() throws Exception {
        Map<String, String> many = TestSkills.skill("do-it", "");
        for (int i = 0; i < 10; i++) {
            many.put("f" + i, "");
        }
        Map<String, String> bomb = TestSkills.skill("do-it", "0".repeat(100_000));

        assertRefused(TestSkills.zip(many), 413, "more than 10 entries");
        assertRefused(TestSkills.tar(many), 413, "more than 10 entries");
        assertRefused(TestSkills.zip(bomb), 413, "more than 4000 bytes");
        assertRefused(TestSkills.gzip(TestSkills.tar(bomb)), 413, "more than 4000 bytes");
    }

    @Test
    void aPackedTarThatUnpacksWithoutEndIsRefused() throws Exception {
        byte[] end = new byte[64 << 20]; // after the end of the archive
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        tar.write(TestSkills.tar(TestSkills.skill("do-it", "")));
        tar.write(end);
        assertRefused(TestSkills.gzip(tar.toByteArray()), 413, "larger than the limit");
    }

    @Test
    void whatIsNoArchiveIsRefusedInWords() throws Exception {
        assertRefused(new byte[0], 400, "no files");
        assertRefused("hello".getBytes(UTF_8), 400, "not a readable zip, tar or tar.gz");
        assertRefused("PK".getBytes(UTF_8), 400, "cut short");
        byte[] zip = TestSkills.zip(TestSkills.skill("do-it", "text"));
        assertRefused(Arrays.copyOf(zip, zip.length - 30), 400, "cut short");
        byte[] gzip = TestSkills.gzip(TestSkills.tar(TestSkills.skill("do-it", "text")));
        assertRefused(Arrays.copyOf(gzip, gzip.length / 2), 400, "cut short");
        assertRefused(TestSkills.zip(Map.of()), 400, "no files");
    }

    @Test
    void noDamageOfAnArchiveIsAFailureOfTheServer() throws Exception {
        Map<String, String> files = TestSkills.skill("do-it", "text");
        Random random = new Random(7);
        for (byte[] archive :
                List.of(
                        TestSkills.zip(files),
                        TestSkills.tar(files),
                        TestSkills.gzip(TestSkills.tar(files)))) {
            for (int i = 0; i < 500; i++) {
                byte[] damaged = archive.clone();
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                try {
                    reader.read(damaged);
                } catch (SatchelException e) {
                    assertThat(e.code().status()).isIn(400, 413);
                }
            }
        }
    }

    @Test
    void theInstructionsAreAtTheRootOrInTheOnlyFolder() throws Exception {
        String text = TestSkills.instructions("do-it", "x");
        assertRefused(TestSkills.zip(Map.of("readme.md", text)), 400, "SKILL.md is missing");
        assertRefused(
                TestSkills.zip(Map.of("one/SKILL.md", text, "two/SKILL.md", text)),
                400,
                "SKILL.md is missing");
        assertRefused(TestSkills.zip(Map.of("a/b/SKILL.md", text)), 400, "SKILL.md is missing");
    }

    @Test
    void whatMacOsAddsIsLeftOut() throws Exception {
        Map<String, String> files = new HashMap<>();
        files.put("do-it/SKILL.md", TestSkills.instructions("do-it", "x"));
        files.put("do-it/.DS_Store", "x");
        files.put("__MACOSX/do-it/._SKILL.md", "x");
        assertThat(reader.read(TestSkills.zip(files)).files()).containsOnlyKeys("SKILL.md");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "# Text|must begin with front matter",
                "---\\nname: a\\ndescription: b|has front matter without an end",
                "---\\ndescription: b\\n---|needs a name",
                "---\\nname:\\ndescription: b\\n---|needs a name",
                "---\\nname: a\\n---|needs a description",
                "---\\nname: a\\ndescription: ''\\n---|needs a description",
                "---\\nname: [a]\\ndescription: b\\n---|needs a name",
                "---\\nname: Do It\\ndescription: b\\n---|has the name Do It, but a name has",
                "---\\nname: ../a\\ndescription: b\\n---|has the name ../a, but a name has",
                "---\\nname: a--b\\ndescription: b\\n---|but a name has",
                "---\\nname: a\\nname: b\\ndescription: c\\n---|has name twice",
                "---\\nname: a\\ndescription: b: c: d\\n---|is not YAML, in line 3",
                "---\\n- name\\n---|is not a list of fields",
                "---\\nname: &x a\\ndescription: *x\\n---|has an alias",
                "---\\nname: a\\ndescription: \"b\\\\u0007\"\\n---|has a control character"
            })
    void frontMatterIsRefusedWithItsReason(String text, String reason) throws Exception {
        String instructions = text.replace("\\n", "\n").replace("\\\\", "\\");
        assertRefused(TestSkills.zip(Map.of("SKILL.md", instructions)), 400, reason);
    }

    @Test
    void frontMatterHasBounds() throws Exception {
        assertRefused(
                TestSkills.zip(Map.of("SKILL.md", TestSkills.instructions("a".repeat(65), "x"))),
                400,
                "up to 64");
        assertRefused(
                TestSkills.zip(Map.of("SKILL.md", TestSkills.instructions("a", "x".repeat(1025)))),
                400,
                "more than 1024 characters");
        String deep = "---\nname: a\ndescription: b\nx: " + "[".repeat(15_000) + "\n---\n";
        assertThatThrownBy(() -> FrontMatter.parse(deep)).isInstanceOf(SatchelException.class);
        String endless = "---\n" + "x".repeat(20_000) + "\n---\n";
        assertThatThrownBy(() -> FrontMatter.parse(endless)).hasMessageContaining("16384");
    }

    @Test
    void frontMatterMayHaveOtherFieldsAndFoldedText() {
        FrontMatter matter =
                FrontMatter.parse(
                        "\ufeff---\r\nname: \"a-1\"\r\nlicense: MIT\r\nmetadata:\r\n  name: inner\r\n"
                                + "  list: [1, {name: x}]\r\ndescription: >\r\n  Folded\r\n  text."
                                + "\r\n---\r\nBody\r\n");
        assertThat(matter.name().value()).isEqualTo("a-1");
        assertThat(matter.description()).isEqualTo("Folded text.");
    }

    private void assertRefused(byte[] archive, int status, String words) {
        assertThatThrownBy(() -> reader.read(archive))
                .hasMessageContaining(words)
                .isInstanceOfSatisfying(
                        SatchelException.class,
                        refusal -> assertThat(refusal.code().status()).isEqualTo(status));
    }

    private static Map<String, String> ordered(String... values) {
        Map<String, String> files = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i += 2) {
            files.put(values[i], values[i + 1]);
        }
        return files;
    }

    private static int lastIndexOf(byte[] bytes, String text) {
        return new String(bytes, ISO_8859_1).lastIndexOf(text);
    }
}
