package dev.satchel.runner.sandbox.seccomp;

import java.util.List;

/** Refuses a system call with an error number when all conditions hold. */
record Rule(Syscall syscall, List<Condition> conditions, int errno) {
    Rule {
        conditions = List.copyOf(conditions);
    }

    static Rule refuse(Syscall syscall, int errno, Condition... conditions) {
        return new Rule(syscall, List.of(conditions), errno);
    }
}
