package dev.satchel.runner.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Assembles the classic BPF program of a seccomp filter. */
final class BpfProgram {
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_AT_LEAST = 0x35;
    private static final int JUMP_IF_ANY_BIT = 0x45;
    private static final int RETURN = 0x06;
    private static final int INSTRUCTION_BYTES = 8;
    private static final int LONGEST_JUMP = 255;

    private final List<Instruction> instructions = new ArrayList<>();

    /** Loads the word at this offset of {@code struct seccomp_data}. */
    BpfProgram load(int offset) {
        return add(LOAD_WORD, 0, 0, offset);
    }

    BpfProgram ret(int action) {
        return add(RETURN, 0, 0, action);
    }

    BpfProgram skipUnlessEqual(int value, int skipped) {
        return add(JUMP_IF_EQUAL, 0, skipped, value);
    }

    BpfProgram skipIfEqual(int value, int skipped) {
        return add(JUMP_IF_EQUAL, skipped, 0, value);
    }

    BpfProgram skipUnlessAtLeast(int value, int skipped) {
        return add(JUMP_IF_AT_LEAST, 0, skipped, value);
    }

    BpfProgram skipUnlessAnyBit(int bits, int skipped) {
        return add(JUMP_IF_ANY_BIT, 0, skipped, bits);
    }

    BpfProgram append(BpfProgram other) {
        instructions.addAll(other.instructions);
        return this;
    }

    int size() {
        return instructions.size();
    }

    /** The program as the kernel reads it: an array of {@code struct sock_filter}. */
    byte[] bytes() {
        ByteBuffer bytes =
                ByteBuffer.allocate(size() * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
        for (Instruction instruction : instructions) {
            bytes.putShort((short) instruction.code())
                    .put((byte) instruction.whenTrue())
                    .put((byte) instruction.whenFalse())
                    .putInt(instruction.operand());
        }
        return bytes.array();
    }

    private BpfProgram add(int code, int whenTrue, int whenFalse, int operand) {
        if (whenTrue > LONGEST_JUMP || whenFalse > LONGEST_JUMP) {
            throw new IllegalStateException("a jump passes over more than 255 instructions");
        }
        instructions.add(new Instruction(code, whenTrue, whenFalse, operand));
        return this;
    }

    private record Instruction(int code, int whenTrue, int whenFalse, int operand) {}
}
