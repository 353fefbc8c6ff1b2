package dev.satchel.runner.sandbox.seccomp;

import java.util.List;

/** Refuses a system call with an error number when all conditions hold. */
record SeccompRule(Syscall syscall, List<ArgumentCondition> conditions, int errno) {
    SeccompRule {
        conditions = List.copyOf(conditions);
    }

    static SeccompRule refuse(Syscall syscall, int errno, ArgumentCondition... conditions) {
        return new SeccompRule(syscall, List.of(conditions), errno);
    }
}
