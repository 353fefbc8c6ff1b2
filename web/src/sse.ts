/** One server-sent event with the id to continue from. */
export interface ServerEvent {
  id: string;
  data: string;
}

/** Parses a stream of server-sent events from chunks of any size. */
export class EventParser {
  private rest = "";
  private id = "";
  private data: string[] = [];

  push(chunk: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const lines = (this.rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      const event = this.line(line);
      if (event) events.push(event);
    }
    return events;
  }

  private line(line: string): ServerEvent | null {
    if (line === "") {
      return this.dispatch();
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.data.push(value);
    if (field === "id") this.id = value;
    return null; // comments begin with a colon: their field is empty
  }

  private dispatch(): ServerEvent | null {
    if (this.data.length === 0) return null;
    const event = { id: this.id, data: this.data.join("\n") };
    this.data = [];
    return event;
  }
}

/** Reads a response to its end; passes on events that arrive together as one list. */
export async function readEvents(
  response: Response,
  receive: (events: ServerEvent[]) => void,
): Promise<void> {
  const parser = new EventParser();
  await readText(response, (text) => {
    const events = parser.push(text);
    if (events.length > 0) receive(events);
  });
}

/** The same for lines of NDJSON; empty lines only keep the connection open. */
export async function readLines(response: Response, receive: (lines: string[]) => void): Promise<void> {
  let rest = "";
  await readText(response, (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    const nonEmpty = lines.filter((line) => line !== "");
    if (nonEmpty.length > 0) receive(nonEmpty);
  });
}

async function readText(response: Response, receive: (text: string) => void): Promise<void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    receive(value);
  }
}
