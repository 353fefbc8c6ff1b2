package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DocumentLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    @Test
    void everyLinkBetweenDocumentsLeadsToAFileAndAHeading() throws IOException {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path file : Markdown.files()) {
            Matcher link = LINK.matcher(Markdown.prose(file));
            while (link.find()) {
                links++;
                if (!link.group(1).matches("[a-z]+:.*") && !resolves(file, link.group(1))) {
                    dead.add(Markdown.ROOT.relativize(file) + ": " + link.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(links).isGreaterThan(100);
    }

    @Test
    void theReadmeFitsTwoScreens() throws IOException {
        assertThat(Files.readAllLines(Markdown.ROOT.resolve("README.md")))
                .hasSizeLessThanOrEqualTo(90);
    }

    @Test
    void everyModuleHasAReadme() throws IOException {
        Matcher module =
                Pattern.compile("<module>(.*)</module>")
                        .matcher(Files.readString(Markdown.ROOT.resolve("pom.xml")));
        while (module.find()) {
            assertThat(Markdown.ROOT.resolve(module.group(1)).resolve("README.md")).isRegularFile();
        }
    }

    private static boolean resolves(Path from, String link) throws IOException {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? from : from.resolveSibling(path);
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0 || Markdown.anchors(target).contains(link.substring(hash + 1));
    }
}
