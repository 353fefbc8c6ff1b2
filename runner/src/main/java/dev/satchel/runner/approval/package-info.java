/** What the tools of a run may do, and when a person must be asked. */
@NullMarked
package dev.satchel.runner.approval;

import org.jspecify.annotations.NullMarked;
