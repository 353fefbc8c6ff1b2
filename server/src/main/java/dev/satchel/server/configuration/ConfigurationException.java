package dev.satchel.server.configuration;

import java.util.List;

/** Flags or variables that cannot be used: all of them, so that one look is enough. */
public final class ConfigurationException extends Exception {
    private final transient List<String> problems;

    public ConfigurationException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
