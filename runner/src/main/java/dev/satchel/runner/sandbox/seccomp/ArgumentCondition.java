package dev.satchel.runner.sandbox.seccomp;

import java.util.List;

/**
 * A condition on the lower 32 bits of one argument. The kernel reads no more of flags, families and
 * request numbers.
 */
sealed interface ArgumentCondition {
    int argument();

    /** Any of these bits is set. */
    record AnyBit(int argument, int bits) implements ArgumentCondition {}

    record OneOf(int argument, List<Integer> values) implements ArgumentCondition {
        public OneOf {
            values = List.copyOf(values);
        }
    }

    record NoneOf(int argument, List<Integer> values) implements ArgumentCondition {
        public NoneOf {
            values = List.copyOf(values);
        }
    }
}
