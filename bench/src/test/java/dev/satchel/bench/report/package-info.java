@NullMarked
package dev.satchel.bench.report;

import org.jspecify.annotations.NullMarked;
