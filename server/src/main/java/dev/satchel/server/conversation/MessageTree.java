package dev.satchel.server.conversation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The shape of a thread: which message follows which, by their numbers. A message follows the one
 * with the number before, unless a branch begins with it. Numbers grow along every path, and 0
 * stands for the place before the first message. Immutable.
 */
public final class MessageTree {
    /**
     * A branch.
     *
     * @param seq its first message
     * @param parent the message that this one follows, 0 for none
     * @param used orders the branches by when the head was at their last message
     */
    public record Branch(long seq, long parent, long used) {}

    /** Consecutive numbers, both ends included, of messages that follow each other. */
    public record Span(long first, long last) {
        public long length() {
            return last - first + 1;
        }

        boolean contains(long seq) {
            return first <= seq && seq <= last;
        }
    }

    private final NavigableMap<Long, Branch> branches = new TreeMap<>();
    private final Map<Long, List<Long>> starts = new HashMap<>();
    private final long last;
    private final long head;

    /**
     * @param last the number of the last message that was added
     * @param head the last message of the active path
     */
    public MessageTree(List<Branch> branches, long last, long head) {
        branches.forEach(branch -> this.branches.put(branch.seq(), branch));
        this.branches
                .values()
                .forEach(
                        branch ->
                                starts.computeIfAbsent(branch.parent(), _ -> new ArrayList<>())
                                        .add(branch.seq()));
        this.last = last;
        this.head = head;
    }

    /** A thread in which every message follows the one before. */
    public static MessageTree linear(long last) {
        return new MessageTree(List.of(), last, last);
    }

    public long last() {
        return last;
    }

    public long head() {
        return head;
    }

    /** The message that the given one follows, 0 for none. */
    public long parent(long seq) {
        Branch branch = branches.get(seq);
        return branch == null ? seq - 1 : branch.parent();
    }

    /** The path to a message, from its end to the first message; empty for 0. */
    public List<Span> path(long seq) {
        return path(seq, Long.MAX_VALUE);
    }

    /** The end of the path to a message: as many spans as have the given number of messages. */
    public List<Span> path(long seq, long messages) {
        List<Span> spans = new ArrayList<>();
        long missing = messages;
        long end = seq;
        while (end > 0 && missing > 0) {
            Span span = new Span(firstOfBranch(end), end);
            spans.add(span);
            missing -= span.length();
            end = parent(span.first());
        }
        return spans;
    }

    /** The numbers of the newest messages of the path to a message, newest first. */
    public List<Long> newest(long seq, int limit) {
        List<Long> numbers = new ArrayList<>();
        for (Span span : path(seq, limit)) {
            for (long n = span.last(); n >= span.first() && numbers.size() < limit; n--) {
                numbers.add(n);
            }
        }
        return numbers;
    }

    /** The messages of a path that have greater numbers than the given one, the oldest first. */
    public List<Span> pathAfter(long after, long seq) {
        List<Span> spans = new ArrayList<>();
        for (Span span : path(seq).reversed()) {
            if (span.last() > after) {
                spans.add(new Span(Math.max(span.first(), after + 1), span.last()));
            }
        }
        return spans;
    }

    /** The number of the message at a place, counted from 1. */
    public static long number(List<Span> spans, long place) {
        long rest = place;
        for (Span span : spans) {
            if (rest <= span.length()) {
                return span.first() + rest - 1;
            }
            rest -= span.length();
        }
        throw new IllegalArgumentException("there are fewer messages than " + place);
    }

    /** The message before the newest ones of a path, 0 for none. */
    public long before(long seq, int newest) {
        return newest == 0 ? seq : parent(newest(seq, newest).getLast());
    }

    /** How many messages the path to a message has. */
    public long length(long seq) {
        return path(seq).stream().mapToLong(Span::length).sum();
    }

    /** Whether the path to {@code end} goes through a message. */
    public boolean isOnPath(long seq, long end) {
        return path(end).stream().anyMatch(span -> span.contains(seq));
    }

    /** The messages that follow the given one, in order. */
    public List<Long> children(long parent) {
        List<Long> children = new ArrayList<>();
        if (parent < last && !branches.containsKey(parent + 1)) {
            children.add(parent + 1);
        }
        children.addAll(starts.getOrDefault(parent, List.of()));
        return children;
    }

    private boolean isTip(long seq) {
        return seq == lastOfBranch(seq) && !starts.containsKey(seq);
    }

    /** Every branch from its first message to its last, in the order of their beginnings. */
    public List<Span> branches() {
        List<Span> all = new ArrayList<>();
        for (long seq = 1; seq <= last; seq = all.getLast().last() + 1) {
            all.add(new Span(seq, lastOfBranch(seq)));
        }
        return all;
    }

    private long firstOfBranch(long seq) {
        Long start = branches.floorKey(seq);
        return start == null ? 1 : start;
    }

    private long lastOfBranch(long seq) {
        Long next = branches.higherKey(seq);
        return next == null ? last : next - 1;
    }

    /** Of the tips below a message, the one that was the head last; a tip is its own. */
    public long tipBelow(long seq) {
        if (isTip(head) && isOnPath(seq, head)) {
            return head;
        }
        return tipsBelow(seq).stream()
                .max(Comparator.comparingLong(this::used).thenComparingLong(tip -> tip))
                .orElse(seq);
    }

    /** A branch is below the message if what its first message follows is. */
    private List<Long> tipsBelow(long seq) {
        Set<Long> below = new HashSet<>();
        List<Long> tips = new ArrayList<>();
        for (Span branch : branches()) {
            long parent = parent(branch.first());
            boolean hasIt = branch.contains(seq);
            boolean follows =
                    parent > 0
                            && (below.contains(firstOfBranch(parent))
                                    || (firstOfBranch(parent) == firstOfBranch(seq)
                                            && parent >= seq));
            if (follows) {
                below.add(branch.first());
            }
            if ((hasIt || follows) && isTip(branch.last())) {
                tips.add(branch.last());
            }
        }
        return tips;
    }

    private long used(long tip) {
        Branch branch = branches.get(firstOfBranch(tip));
        return branch == null ? 0 : branch.used();
    }

    /** The branch of a tip, used after all others; empty for a message that is no tip. */
    List<Branch> use(long seq) {
        if (seq == 0 || !isTip(seq)) {
            return List.of();
        }
        long first = firstOfBranch(seq);
        long newest = branches.values().stream().mapToLong(Branch::used).max().orElse(0);
        return List.of(new Branch(first, parent(first), newest + 1));
    }
}
