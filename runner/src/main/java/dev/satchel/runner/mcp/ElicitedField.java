package dev.satchel.runner.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** One field of an answer that a server wants: a simple value, a choice or some of several. */
record ElicitedField(String name, JsonNode schema) {
    private static final Set<String> YES = Set.of("yes", "y", "true", "ja", "1");

    /** A value to choose, and what a person reads instead if the server says so. */
    private record Choice(String value, String title) {
        boolean isMeantBy(String text) {
            return text.equalsIgnoreCase(value) || text.equalsIgnoreCase(title);
        }

        @Override
        public String toString() {
            return title.equals(value) ? value : value + " = " + title;
        }
    }

    /** What to write, for a person. */
    String described() {
        String text = schema.path("description").asString(schema.path("title").asString(""));
        String words = name + ": " + (text.isEmpty() ? type() : text);
        List<Choice> choices = choices();
        if (!choices.isEmpty()) {
            String named = choices.stream().map(Choice::toString).collect(Collectors.joining(", "));
            return words + " (" + (type().equals("array") ? "some of " : "one of ") + named + ")";
        }
        return type().equals("boolean") ? words + " (yes or no)" : words;
    }

    /** The answers to choose from, if there can be one of them only. */
    List<String> options() {
        return switch (type()) {
            case "boolean" -> List.of("yes", "no");
            case "array" -> List.of();
            default -> choices().stream().map(Choice::title).toList();
        };
    }

    /** What a person wrote, as the server wants it; what is not valid the server refuses itself. */
    Object value(String answer) {
        String text = answer.strip();
        try {
            return switch (type()) {
                case "boolean" -> YES.contains(text.toLowerCase(Locale.ROOT));
                case "integer" -> Long.parseLong(text);
                case "number" -> Double.parseDouble(text);
                case "array" ->
                        Stream.of(text.split(",", -1))
                                .map(String::strip)
                                .filter(part -> !part.isEmpty())
                                .map(this::chosen)
                                .toList();
                default -> chosen(text);
            };
        } catch (NumberFormatException _) {
            return text;
        }
    }

    private String type() {
        return schema.path("type").asString("string");
    }

    private String chosen(String text) {
        return choices().stream()
                .filter(choice -> choice.isMeantBy(text))
                .map(Choice::value)
                .findFirst()
                .orElse(text);
    }

    private List<Choice> choices() {
        JsonNode from = type().equals("array") ? schema.path("items") : schema;
        List<Choice> choices = new ArrayList<>();
        JsonNode values = from.path("enum");
        for (int i = 0; i < values.size(); i++) {
            String value = values.path(i).asString("");
            choices.add(new Choice(value, from.path("enumNames").path(i).asString(value)));
        }
        for (String keyword : List.of("oneOf", "anyOf")) {
            for (JsonNode option : from.path(keyword)) {
                String value = option.path("const").asString("");
                choices.add(new Choice(value, option.path("title").asString(value)));
            }
        }
        return choices;
    }
}
