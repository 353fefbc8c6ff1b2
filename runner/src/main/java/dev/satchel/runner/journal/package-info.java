/** What a run has done, so that it can be continued after its server or its runner was lost. */
@NullMarked
package dev.satchel.runner.journal;

import org.jspecify.annotations.NullMarked;
