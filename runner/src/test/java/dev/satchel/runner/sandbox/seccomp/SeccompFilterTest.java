package dev.satchel.runner.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SeccompFilterTest {
    private static final int ALLOW = 0x7FFF0000;
    private static final int REFUSE = 0x00050000;
    private static final int KILL = 0x80000000;

    @ParameterizedTest
    @EnumSource
    void anotherArchitectureIsKilled(CpuArchitecture architecture) {
        int other = 0x40000003; // i386

        assertThat(machine(architecture).run(other, 1)).isEqualTo(KILL);
    }

    @ParameterizedTest
    @EnumSource
    void whatNoRuleNamesIsAllowed(CpuArchitecture architecture) {
        assertThat(machine(architecture).run(architecture.auditNumber(), 1000)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource
    void everyCallOfTheTableIsRefusedForSomeArguments(CpuArchitecture architecture) {
        for (SeccompRule rule : SeccompRules.ALL) {
            if (rule.syscall().existsOn(architecture)) {
                int number = rule.syscall().number(architecture);
                long[] arguments = refusedArguments(rule);
                assertThat(machine(architecture).run(architecture.auditNumber(), number, arguments))
                        .as("%s on %s", rule.syscall(), architecture)
                        .isEqualTo(REFUSE | rule.errno());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConditionThatDoesNotHoldAllows(CpuArchitecture architecture) {
        for (SeccompRule rule : SeccompRules.ALL) {
            if (rule.syscall().existsOn(architecture) && !rule.conditions().isEmpty()) {
                int number = rule.syscall().number(architecture);
                long harmless = rule.syscall().name().startsWith("SOCKET") ? 2 : 0;
                assertThat(machine(architecture).run(architecture.auditNumber(), number, harmless))
                        .as("%s on %s", rule.syscall(), architecture)
                        .isEqualTo(ALLOW);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "10", "16"})
    void theOrdinarySocketFamiliesAreAllowed(int family) {
        BpfInterpreter machine = machine(CpuArchitecture.AARCH64);

        assertThat(machine.run(CpuArchitecture.AARCH64.auditNumber(), 198, family))
                .isEqualTo(ALLOW);
    }

    @Test
    void upperBitsOfAnArgumentChangeNothing() {
        BpfInterpreter machine = machine(CpuArchitecture.X86_64);
        long vsock = 0x1_0000_0028L;

        assertThat(machine.run(CpuArchitecture.X86_64.auditNumber(), 41, vsock))
                .isEqualTo(REFUSE | 97);
    }

    private static BpfInterpreter machine(CpuArchitecture architecture) {
        return new BpfInterpreter(SeccompFilter.bytes(architecture));
    }

    private static long[] refusedArguments(SeccompRule rule) {
        long[] arguments = new long[6];
        for (ArgumentCondition condition : rule.conditions()) {
            arguments[condition.argument()] =
                    switch (condition) {
                        case ArgumentCondition.AnyBit(_, int bits) -> Integer.lowestOneBit(bits);
                        case ArgumentCondition.OneOf(_, var values) -> values.getLast();
                        case ArgumentCondition.NoneOf(_, var _) -> 40;
                    };
        }
        return arguments;
    }
}
