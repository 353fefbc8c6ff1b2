package dev.satchel.runner.regex;

import java.util.List;

/** A regex as a tree. It may match more than what it was read from, never less. */
sealed interface Node {
    /** One character: some of the ASCII ones, and perhaps any other. */
    record One(AsciiSet ascii, boolean others) implements Node {
        /** Both cases of what it takes; some letters outside ASCII are cases of k and s. */
        One widened(boolean ignoreCase) {
            if (!ignoreCase) {
                return this;
            }
            AsciiSet both = ascii.bothCases();
            if (others) {
                both = both.plus(AsciiSet.of('k').plus(AsciiSet.of('s')).bothCases());
            }
            return new One(both, others || both.has('k') || both.has('s'));
        }
    }

    record Sequence(List<Node> nodes) implements Node {
        public Sequence {
            nodes = List.copyOf(nodes);
        }
    }

    record Either(List<Node> nodes) implements Node {
        public Either {
            nodes = List.copyOf(nodes);
        }
    }

    /** From {@code min} to {@code max} times, or without end. */
    record Repeat(Node node, int min, int max) implements Node {
        static final int ENDLESS = Integer.MAX_VALUE;
    }

    /** Only where a line begins. */
    record Begin() implements Node {}

    /** Only where a line ends. */
    record End() implements Node {}
}
