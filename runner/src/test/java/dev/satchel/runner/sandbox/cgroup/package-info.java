@NullMarked
package dev.satchel.runner.sandbox.cgroup;

import org.jspecify.annotations.NullMarked;
