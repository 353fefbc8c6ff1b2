/** What came out: rounds, bars, verdicts, and the table and file that show them. */
@NullMarked
package dev.satchel.bench.report;

import org.jspecify.annotations.NullMarked;
