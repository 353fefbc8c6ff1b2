package dev.satchel.runner.sandbox.seccomp;

import java.util.List;

/**
 * What must hold of one argument's lower 32 bits, the only ones the kernel reads of flags, families
 * and request numbers.
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
