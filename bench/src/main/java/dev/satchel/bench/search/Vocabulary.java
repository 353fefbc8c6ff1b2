package dev.satchel.bench.search;

import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** Words as languages have them: the n-th most frequent one is n times rarer than the first. */
final class Vocabulary {
    private static final int WORDS = 50_000;
    private static final int COMMON_WORDS = 50;
    private static final int MESSAGE_WORDS = 60;
    private static final String[] SYLLABLES = {
        "ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "an",
        "er", "in", "on", "ur", "est"
    };

    private static final List<String> ALL =
            IntStream.rangeClosed(0, WORDS).mapToObj(Vocabulary::make).toList();

    private final Random random = new Random(88);

    /** The word of a rank, from 1 on. */
    static String word(int rank) {
        return ALL.get(rank);
    }

    private static String make(int rank) {
        StringBuilder word = new StringBuilder();
        for (int rest = rank + SYLLABLES.length; rest > 0; rest /= SYLLABLES.length) {
            word.append(SYLLABLES[rest % SYLLABLES.length]);
        }
        return word.toString();
    }

    String message() {
        StringJoiner message = new StringJoiner(" ");
        for (int i = 0; i < MESSAGE_WORDS; i++) {
            message.add(word(rank()));
        }
        return message.toString();
    }

    /** By the inverse of the sum of 1/n, which is about the logarithm. */
    int rank() {
        return rank(WORDS);
    }

    private int rank(int words) {
        return (int) Math.exp(random.nextDouble() * Math.log(words));
    }

    /** What people type: a word, two words, a phrase or a beginning, of any frequency. */
    String query() {
        return query(WORDS);
    }

    /** The same of words that are in a tenth of all messages or in more. */
    String commonQuery() {
        return query(COMMON_WORDS);
    }

    private String query(int words) {
        String word = word(rank(words));
        return switch (random.nextInt(4)) {
            case 0 -> word + " ";
            case 1 -> word + " " + word(rank(words)) + " ";
            case 2 -> '"' + word(rank(words)) + " " + word + '"';
            default -> word.substring(0, Math.min(word.length(), 3));
        };
    }
}
