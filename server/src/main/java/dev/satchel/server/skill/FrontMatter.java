package dev.satchel.server.skill;

import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The YAML between two lines of three hyphens at the beginning of a {@code SKILL.md}. Only the
 * events of the parser are read, so that no nesting and no alias costs more than its text.
 */
record FrontMatter(SkillName name, String description) {
    private static final String FILE = "SKILL.md";
    private static final String FENCE = "---";
    private static final int MAX_LENGTH = 16 * 1024;
    private static final int MAX_DESCRIPTION = 1_024;

    static FrontMatter parse(String text) {
        Map<String, String> fields = fields(yaml(text));
        String name =
                Optional.ofNullable(fields.get("name"))
                        .filter(value -> !value.isEmpty())
                        .orElseThrow(() -> invalid("needs a name in its front matter"));
        if (!SkillName.isValid(name)) {
            throw invalid("has the name " + shown(name) + ", but a name has " + SkillName.RULE);
        }
        return new FrontMatter(new SkillName(name), description(fields.get("description")));
    }

    /** On one line, as the prompt of an agent has it. */
    private static String description(@Nullable String given) {
        String description = given == null ? "" : given.strip().replaceAll("\\s+", " ");
        if (description.isEmpty()) {
            throw invalid("needs a description in its front matter");
        }
        if (description.codePointCount(0, description.length()) > MAX_DESCRIPTION) {
            throw invalid("has a description of more than " + MAX_DESCRIPTION + " characters");
        }
        if (description.codePoints().anyMatch(FrontMatter::isUnprintable)) {
            throw invalid("has a control character in its description");
        }
        return description;
    }

    private static boolean isUnprintable(int character) {
        boolean joinsEmoji = character == 0x200d;
        return Character.isISOControl(character)
                || (Character.getType(character) == Character.FORMAT && !joinsEmoji);
    }

    private static String yaml(String text) {
        String[] lines =
                text.startsWith("\ufeff")
                        ? text.substring(1).split("\r?\n", -1)
                        : text.split("\r?\n", -1);
        if (!lines[0].stripTrailing().equals(FENCE)) {
            throw invalid(
                    "must begin with front matter: a line "
                            + FENCE
                            + ", then name and description, then a line "
                            + FENCE);
        }
        StringBuilder yaml = new StringBuilder();
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].stripTrailing().equals(FENCE)) {
                return yaml.toString();
            }
            yaml.append(lines[i]).append('\n');
            if (yaml.length() > MAX_LENGTH) {
                throw invalid("has front matter of more than " + MAX_LENGTH + " characters");
            }
        }
        throw invalid("has front matter without an end: a line " + FENCE + " is missing");
    }

    /** The texts of the outermost mapping; other values are passed over. */
    private static Map<String, String> fields(String yaml) {
        Map<String, String> fields = new HashMap<>();
        try {
            int depth = 0;
            boolean isMapping = false;
            String key = null;
            for (Event event : new Parse(LoadSettings.builder().build()).parseString(yaml)) {
                switch (event.getEventId()) {
                    case MappingStart, SequenceStart -> {
                        depth++;
                        isMapping |= depth == 1 && event.getEventId() == Event.ID.MappingStart;
                    }
                    case MappingEnd, SequenceEnd -> {
                        depth--;
                        key = depth == 1 ? null : key; // the value of a key has ended
                    }
                    case Scalar -> {
                        if (depth == 1 && isMapping) {
                            String value = ((ScalarEvent) event).getValue();
                            if (key != null && fields.put(key, value) != null) {
                                throw invalid("has " + shown(key) + " twice in its front matter");
                            }
                            key = key == null ? value : null;
                        }
                    }
                    case Alias -> throw invalid("has an alias in its front matter");
                    default -> {} // the beginnings and ends of streams and documents
                }
            }
            if (!isMapping) {
                throw invalid("has front matter that is not a list of fields such as name: x");
            }
            return fields;
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 2).orElse(1);
            throw invalid(
                    "has front matter that is not YAML, in line "
                            + line
                            + ": "
                            + shown(String.valueOf(e.getProblem())));
        } catch (YamlEngineException e) {
            throw invalid("has front matter that is not YAML");
        }
    }

    private static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 100 ? clean : clean.substring(0, 100) + "…";
    }

    static SatchelException invalid(String problem) {
        return Fields.invalid(FILE, problem);
    }
}
