@NullMarked
package dev.satchel.runner.sandbox.egress;

import org.jspecify.annotations.NullMarked;
