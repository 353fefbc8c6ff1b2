package dev.satchel.server.conversation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.conversation.MessageTree.Branch;
import dev.satchel.server.conversation.MessageTree.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the ranges with a map from each message to its parent, in random trees. */
class MessageTreeTest {
    private static final int MESSAGES = 120;

    static List<Long> seeds() {
        return List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, new Random().nextLong());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aTreeOfRangesIsTheTreeOfItsParents(long seed) {
        Random random = new Random(seed);
        Map<Long, Long> parents = new HashMap<>();
        List<Branch> branches = new ArrayList<>();
        for (long seq = 1; seq <= MESSAGES; seq++) {
            boolean branch = seq > 1 && random.nextInt(4) == 0;
            long parent = branch ? random.nextLong(seq) : seq - 1;
            parents.put(seq, parent);
            if (parent != seq - 1) {
                branches.add(new Branch(seq, parent, 0));
            }
        }
        MessageTree tree = new MessageTree(branches, MESSAGES, MESSAGES);
        for (long seq = 1; seq <= MESSAGES; seq++) {
            List<Long> path = path(parents, seq);
            assertThat(numbers(tree.path(seq).reversed())).isEqualTo(path);
            assertThat(tree.length(seq)).isEqualTo(path.size());
            assertThat(tree.newest(seq, 7))
                    .isEqualTo(path.reversed().subList(0, Math.min(7, path.size())));
            assertThat(tree.before(seq, path.size())).isZero();
            long after = random.nextLong(MESSAGES);
            assertThat(numbers(tree.pathAfter(after, seq)))
                    .isEqualTo(path.stream().filter(number -> number > after).toList());
            assertThat(tree.isOnPath(after + 1, seq)).isEqualTo(path.contains(after + 1));
            assertThat(tree.children(seq)).isEqualTo(children(parents, seq));
            long tip = tree.tipBelow(seq);
            assertThat(path(parents, tip)).contains(seq);
            assertThat(children(parents, tip)).isEmpty();
        }
        assertThat(tree.children(0)).isEqualTo(children(parents, 0));
        assertThat(numbers(tree.branches())).hasSize(MESSAGES).doesNotHaveDuplicates();
    }

    private static List<Long> numbers(List<Span> spans) {
        return spans.stream()
                .flatMap(span -> LongStream.rangeClosed(span.first(), span.last()).boxed())
                .toList();
    }

    private static List<Long> path(Map<Long, Long> parents, long seq) {
        List<Long> path = new ArrayList<>();
        for (long at = seq; at > 0; at = requireNonNull(parents.get(at))) {
            path.addFirst(at);
        }
        return path;
    }

    private static List<Long> children(Map<Long, Long> parents, long seq) {
        return parents.entrySet().stream()
                .filter(child -> child.getValue() == seq)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
