/** What runs ask people: approvals of tool calls, questions, and the answers. */
@NullMarked
package dev.satchel.server.approval;

import org.jspecify.annotations.NullMarked;
