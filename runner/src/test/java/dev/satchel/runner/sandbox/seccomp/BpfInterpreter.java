package dev.satchel.runner.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a filter as the kernel would, so that the other architecture's can be tried too. */
final class BpfInterpreter {
    private final ByteBuffer program;

    BpfInterpreter(byte[] program) {
        this.program = ByteBuffer.wrap(program).order(ByteOrder.nativeOrder());
    }

    /** What the filter returns for a call on this architecture. */
    int run(int auditNumber, int number, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(number).putInt(auditNumber).putLong(0);
        for (long argument : arguments) {
            data.putLong(argument);
        }
        int accumulator = 0;
        for (int at = 0; ; at++) {
            int operand = program.getInt(at * 8 + 4);
            switch (program.getShort(at * 8)) {
                case 0x20 -> accumulator = data.getInt(operand);
                case 0x06 -> {
                    return operand;
                }
                case 0x15 -> at += jump(at, accumulator == operand);
                case 0x35 -> at += jump(at, Integer.compareUnsigned(accumulator, operand) >= 0);
                case 0x45 -> at += jump(at, (accumulator & operand) != 0);
                default -> throw new IllegalStateException("unknown instruction at " + at);
            }
        }
    }

    private int jump(int at, boolean taken) {
        return program.get(at * 8 + (taken ? 2 : 3)) & 0xFF;
    }
}
