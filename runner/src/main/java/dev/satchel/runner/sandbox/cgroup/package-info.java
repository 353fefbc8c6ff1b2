/** The control groups that limit memory, processes and CPU of a run. */
@NullMarked
package dev.satchel.runner.sandbox.cgroup;

import org.jspecify.annotations.NullMarked;
