import { describe, expect, test } from "vitest";
import { EventParser, readLines } from "../src/sse";

const STREAM = 'retry: 1000\n\nid: r:1\ndata: {"a":1}\n\n: ping\n\nid: r:2\ndata: two\ndata: lines\n\n';
const EVENTS = [
  { id: "r:1", data: '{"a":1}' },
  { id: "r:2", data: "two\nlines" },
];

describe("the parser of server-sent events", () => {
  test("reads events and skips comments and retry", () => {
    expect(new EventParser().push(STREAM)).toEqual(EVENTS);
  });

  test("gives the same result for every chunk boundary", () => {
    for (let cut = 0; cut <= STREAM.length; cut++) {
      const parser = new EventParser();
      const events = [...parser.push(STREAM.slice(0, cut)), ...parser.push(STREAM.slice(cut))];
      expect(events).toEqual(EVENTS);
    }
  });

  test("supports carriage returns at every chunk boundary", () => {
    const stream = STREAM.replaceAll("\n", "\r\n");
    for (let cut = 0; cut <= stream.length; cut++) {
      const parser = new EventParser();
      const events = [...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))];
      expect(events).toEqual(EVENTS);
    }
  });

  test("emits an event only when it is complete", () => {
    const parser = new EventParser();
    expect(parser.push("id: r:1\ndata: half")).toEqual([]);
    expect(parser.push(" an event\n")).toEqual([]);
    expect(parser.push("\n")).toEqual([{ id: "r:1", data: "half an event" }]);
  });
});

test("lines of NDJSON are read across chunks, and empty ones are skipped", async () => {
  const chunks = ['{"a":', '1}\n\n{"b":2}\n{"c"', ":3}\n"];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
  const lines: string[] = [];
  await readLines(new Response(body), (more) => lines.push(...more));

  expect(lines).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
});
