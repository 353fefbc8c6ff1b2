package dev.satchel.runner.sandbox.seccomp;

import dev.satchel.runner.sandbox.seccomp.ArgumentCondition.AnyBit;
import dev.satchel.runner.sandbox.seccomp.ArgumentCondition.NoneOf;
import dev.satchel.runner.sandbox.seccomp.ArgumentCondition.OneOf;
import java.util.List;

/** Compiles the rules to a program for bubblewrap: what no rule refuses is allowed. */
public final class SeccompFilter {
    // struct seccomp_data: int nr; __u32 arch; __u64 instruction_pointer; __u64 args[6]
    private static final int NUMBER_OFFSET = 0;
    private static final int ARCHITECTURE_OFFSET = 4;
    // both architectures are little endian: the lower half of an argument comes first
    private static final int ARGUMENTS_OFFSET = 16;
    private static final int ARGUMENT_BYTES = 8;

    private static final int ALLOW = 0x7FFF0000;
    private static final int REFUSE = 0x00050000;
    private static final int KILL_PROCESS = 0x80000000;

    /** The x32 calls share x86_64's audit number but not its numbers, so a rule would miss them. */
    private static final int X32_BIT = 0x40000000;

    private SeccompFilter() {}

    /** The filter for an architecture, in the format that bubblewrap reads. */
    public static byte[] bytes(CpuArchitecture architecture) {
        BpfProgram program =
                new BpfProgram()
                        .load(ARCHITECTURE_OFFSET)
                        .skipIfEqual(architecture.auditNumber(), 1)
                        .ret(KILL_PROCESS)
                        .load(NUMBER_OFFSET);
        if (architecture == CpuArchitecture.X86_64) {
            program.skipUnlessAtLeast(X32_BIT, 1).ret(KILL_PROCESS);
        }
        for (SeccompRule rule : SeccompRules.ALL) {
            if (rule.syscall().existsOn(architecture)) {
                program.append(compile(rule, architecture));
            }
        }
        return program.ret(ALLOW).bytes();
    }

    private static BpfProgram compile(SeccompRule rule, CpuArchitecture architecture) {
        BpfProgram body = new BpfProgram().ret(REFUSE | rule.errno());
        for (ArgumentCondition condition : rule.conditions().reversed()) {
            body = compile(condition, body.size()).append(body);
        }
        if (!rule.conditions().isEmpty()) {
            body.load(NUMBER_OFFSET); // the next rule compares numbers again
        }
        return new BpfProgram()
                .skipUnlessEqual(rule.syscall().number(architecture), body.size())
                .append(body);
    }

    /** Skips the remaining instructions of its rule when the condition does not hold. */
    private static BpfProgram compile(ArgumentCondition condition, int rest) {
        BpfProgram test =
                new BpfProgram().load(ARGUMENTS_OFFSET + ARGUMENT_BYTES * condition.argument());
        switch (condition) {
            case AnyBit(_, int bits) -> test.skipUnlessAnyBit(bits, rest);
            case NoneOf(_, List<Integer> values) -> {
                for (int value : values) {
                    int othersBehind = values.size() - 1 - values.indexOf(value);
                    test.skipIfEqual(value, othersBehind + rest);
                }
            }
            case OneOf(_, List<Integer> values) -> {
                for (int value : values) {
                    int othersBehind = values.size() - 1 - values.indexOf(value);
                    if (othersBehind == 0) {
                        test.skipUnlessEqual(value, rest);
                    } else {
                        test.skipIfEqual(value, othersBehind);
                    }
                }
            }
        }
        return test;
    }
}
