/** The network access of a sandbox: a proxy that connects to allowed hosts. */
@NullMarked
package dev.satchel.runner.sandbox.egress;

import org.jspecify.annotations.NullMarked;
