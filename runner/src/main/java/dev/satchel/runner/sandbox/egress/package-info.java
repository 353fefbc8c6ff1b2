/** The only way out of a sandbox: a proxy that connects to named hosts. */
@NullMarked
package dev.satchel.runner.sandbox.egress;

import org.jspecify.annotations.NullMarked;
