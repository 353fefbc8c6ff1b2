package dev.satchel.bench.search;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words as languages have them: the n-th most frequent one is n times rarer than the first. */
final class Vocabulary {
    private static final int WORDS = 50_000;
    private static final int MESSAGE_WORDS = 60;
    private static final String[] SYLLABLES = {
        "ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "an",
        "er", "in", "on", "ur", "est"
    };

    private final Random random = new Random(88);

    /** The word of a rank, from 1 on. */
    static String word(int rank) {
        StringBuilder word = new StringBuilder();
        for (int rest = rank + SYLLABLES.length; rest > 0; rest /= SYLLABLES.length) {
            word.append(SYLLABLES[rest % SYLLABLES.length]);
        }
        return word.toString();
    }

    String message() {
        return Stream.generate(() -> word(rank()))
                .limit(MESSAGE_WORDS)
                .collect(Collectors.joining(" "));
    }

    /** By the inverse of the sum of 1/n, which is about the logarithm. */
    int rank() {
        return (int) Math.exp(random.nextDouble() * Math.log(WORDS));
    }

    /** What people type: a word, two words, a phrase or a beginning, of any frequency. */
    String query() {
        String word = word(rank());
        return switch (random.nextInt(4)) {
            case 0 -> word + " ";
            case 1 -> word + " " + word(rank()) + " ";
            case 2 -> '"' + word(rank()) + " " + word + '"';
            default -> word.substring(0, Math.min(word.length(), 3));
        };
    }
}
