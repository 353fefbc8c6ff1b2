package dev.satchel.server.skill;

import java.util.regex.Pattern;

/** The name of a skill: it is also the name of its folder in a sandbox. */
public record SkillName(String value) {
    /** What a name may be, in words for a message. */
    public static final String RULE =
            "up to 64 lower-case letters a-z and digits, with single hyphens between them";

    private static final Pattern FORM = Pattern.compile("(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*");

    public SkillName {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a name of a skill: " + RULE);
        }
    }

    public static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
