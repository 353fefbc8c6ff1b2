import type { Settings } from "./types";

const EXAMPLES = [
  {
    title: "Look around",
    about: "Run a shell command in a new sandbox",
    text: "/sh uname -a && ls -la && df -h .",
  },
  {
    title: "Make a table",
    about: "Write a CSV file and return it",
    text: "/sh mkdir -p assets; (echo number,square; for i in $(seq 1 12); do echo \"$i,$((i * i))\"; done) > assets/squares.csv",
  },
  {
    title: "Write a file",
    about: "The text after the first line becomes the file",
    text: "/view .\n/write assets/hello.md\n# Hello\n\nThis was written by the offline agent.",
  },
  {
    title: "Search everything",
    about: "Search the files of the workspace",
    text: "/sh printf 'one\\ntwo\\nthree\\n' > numbers.txt\n/grep t numbers.txt",
  },
];

const WITH_MODEL = [
  {
    title: "Understand a table",
    about: "Totals, outliers and a chart of a CSV or Excel file",
    text: "Look at the attached table: what stands out, and what is unusual? Make a chart of it, and a summary that I can send on.",
  },
  {
    title: "Read a long document",
    about: "One page instead of a hundred, with the page numbers",
    text: "Summarise the attached document on one page. Name the pages, and list what it leaves open.",
  },
  {
    title: "Make a small website",
    about: "One HTML file, shown beside the chat",
    text: "Make a website in one HTML file about: ",
  },
  {
    title: "Put files in order",
    about: "Rename, sort and convert, and get a zip back",
    text: "Rename the attached files by date and topic, sort them into folders, and give them back as a zip. Show me the plan first.",
  },
];

/** Examples for a first message; without a model, what works without one. */
export function Examples({ settings, choose }: { settings: Settings | null; choose: (text: string) => void }) {
  const offline = settings !== null && settings.runner === "own" && settings.model === null;
  return (
    <div className="welcome">
      <img src="/satchel.svg" alt="" width="56" height="56" />
      <h1>What should we work on?</h1>
      {settings?.runner === "own" && settings.model && (
        <p className="welcome-model">
          <strong>{settings.model.name}</strong> answers.
        </p>
      )}
      <p className="welcome-lead">
        Drop files anywhere and write what you need. Every turn runs in a new, isolated sandbox. The files that it
        produces come back to the chat.
      </p>
      {offline && (
        <>
          <div className="notice">
            <p>
              <strong>No model is configured.</strong> The offline agent answers: it runs lines that begin with{" "}
              <code>/sh</code>, <code>/view</code>, <code>/grep</code>, <code>/write</code>, <code>/stage</code> or{" "}
              <code>/sleep</code>, and returns the files in <code>assets/</code>. Start Satchel with <code>ANTHROPIC_API_KEY</code> or <code>OPENAI_API_KEY</code>{" "}
              for a model.
            </p>
          </div>
        </>
      )}
      {settings !== null && settings.runner !== "none" && (
        <ul className="examples" aria-label="Things to try">
          {(offline ? EXAMPLES : WITH_MODEL).map((example) => (
            <li key={example.title}>
              <button type="button" onClick={() => choose(example.text)}>
                <strong>{example.title}</strong>
                <span>{example.about}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {settings?.runner === "none" && (
        <div className="notice">
          <p>
            <strong>Turns are refused.</strong>{" "}
            {settings.runnerProblem ?? "The server was started without a runner. Start it with one, or set SANDBOX_URL."}
          </p>
        </div>
      )}
    </div>
  );
}
