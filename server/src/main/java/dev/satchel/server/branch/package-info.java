/** The branches of threads: lists them, and makes another one active. */
@NullMarked
package dev.satchel.server.branch;

import org.jspecify.annotations.NullMarked;
