package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import dev.satchel.runner.skill.SkillCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of agents that have skills, in real sandboxes. */
class SkillRunTest extends McpRunFixture {
    private static final String VIEW = "{\"path\":\"/root/skills/greet/SKILL.md\"}";

    @BeforeEach
    void addSkill() throws Exception {
        satchel.addSkill(
                "greet",
                3,
                Map.of(
                        "SKILL.md", "Say hello with hello.sh.\n",
                        "bin/hello.sh", "#!/bin/sh\necho hello from $0\n"));
        satchel.addSkill("other", 1, Map.of("SKILL.md", "Nothing here.\n"));
    }

    @Test
    void theModelReadsASkillAndRunsItsScript() throws Exception {
        List<SandboxLine> lines =
                calling(
                        List.of(
                                "view",
                                VIEW,
                                "sh",
                                command("/root/skills/greet/bin/hello.sh; echo $SATCHEL_SKILLS")));

        assertThat(ended(lines)).extracting(step -> step.status()).containsOnly(Outcome.SUCCEEDED);
        assertThat(heard())
                .contains("Say hello with hello.sh.")
                .contains("hello from /root/skills/greet/bin/hello.sh\\n/root/skills");
        assertThat(logs(lines)).contains("skills loaded=2: greet@3, other@1");
    }

    @Test
    void theToolsThatReadFindTheFilesOfSkills() throws Exception {
        List<SandboxLine> lines =
                calling(
                        List.of(
                                "grep",
                                "{\"pattern\":\"hello\",\"path\":\"/root/skills\","
                                        + "\"output_mode\":\"content\"}",
                                "view",
                                "{\"path\":\"/root/skills\"}"));
        assertThat(heard())
                .contains("/root/skills/greet/bin/hello.sh:2:echo hello")
                .contains("greet/SKILL.md", "other/SKILL.md");
        assertThat(ended(lines)).extracting(step -> step.status()).containsOnly(Outcome.SUCCEEDED);

        calling(List.of("glob", "{\"pattern\":\"**/*.sh\",\"path\":\"/root/skills\"}"));
        assertThat(heard()).contains("/root/skills/greet/bin/hello.sh");
    }

    @Test
    void aCommandCannotChangeASkill() throws Exception {
        List<SandboxLine> lines =
                calling(
                        List.of(
                                "sh",
                                command(
                                        "cd /root/skills; for try in 'echo x > greet/SKILL.md'"
                                                + " 'touch greet/new' 'mkdir third' 'rm -r greet' 'chmod"
                                                + " 777 greet/SKILL.md' 'mv /root/skills /root/moved'; do"
                                                + " sh -c \\\"$try\\\" 2>/dev/null && echo pos''sible: $try;"
                                                + " done; ls -R"),
                                "write",
                                "{\"path\":\"/root/skills/greet/SKILL.md\",\"content\":\"x\"}"));

        assertThat(heard()).doesNotContain("possible:").contains("hello.sh");
        assertThat(ended(lines).getLast().status()).isEqualTo(Outcome.FAILED);
        calling(List.of("view", VIEW));
        assertThat(heard()).contains("Say hello with hello.sh.");
    }

    @Test
    void thePromptHasNamesAndDescriptionsAndStaysTheSame() throws Exception {
        calling(List.of("view", VIEW, "sh", command("true")));

        String first = provider.asked().getFirst().body().get("system").toString();
        assertThat(first)
                .contains("- greet: Does greet", "- other: Does other")
                .doesNotContain("Say hello");
        assertThat(provider.asked())
                .allSatisfy(
                        call -> assertThat(call.body().get("system").toString()).isEqualTo(first));
    }

    @Test
    void aRunWithoutSkillsHasNone() throws Exception {
        satchel.skills.clear();

        List<SandboxLine> lines = calling(List.of("view", VIEW, "sh", command("ls /root/skills")));

        assertThat(ended(lines)).extracting(step -> step.status()).containsOnly(Outcome.FAILED);
        assertThat(provider.asked().getFirst().body().get("system").toString())
                .doesNotContain("skills");
        assertThat(logs(lines)).noneMatch(line -> line.contains("skills"));
    }

    @Test
    void aSkillIsFetchedOnceForEachContent() throws Exception {
        calling(List.of("view", VIEW));
        calling(List.of("view", VIEW));
        assertThat(satchel.fetched).containsExactly("greet", "other");

        satchel.addSkill("greet", 4, Map.of("SKILL.md", "Say goodbye.\n"));
        calling(List.of("view", VIEW));
        assertThat(heard()).contains("Say goodbye.");
    }

    @Test
    void whatIsUsedNoLongerGoesWhenThereIsNoRoom() throws Exception {
        restart(
                configuration(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS", "127.0.0.1",
                                "SATCHEL_SKILL_CACHE_MB", "0")));
        calling(List.of("view", VIEW));
        try (Stream<Path> kept = Files.list(data.resolve("skills"))) {
            assertThat(kept).isEmpty();
        }
        assertThat(SkillCache.DEFAULT_BYTES).isPositive();
    }

    @Test
    void anArchiveThatIsNotTheAnnouncedOneFailsTheRun() throws Exception {
        satchel.skillArchives.put("greet", satchel.skillArchives.get("other"));
        assertThat(failure("go").code()).isEqualTo("skills_failed");

        satchel.skillArchives.remove("greet");
        SandboxLine.Failure missing = failure("go");
        assertThat(missing.code()).isEqualTo("skills_failed");
        assertThat(missing.message()).contains("Satchel answered 404 for the skill greet");
        try (Stream<Path> kept = Files.list(data.resolve("skills"))) {
            assertThat(kept).isEmpty();
        }
    }

    private static String command(String line) {
        return "{\"command\":\"" + line + "\"}";
    }
}
