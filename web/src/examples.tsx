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

/** Examples for a first message; without a model, what works without one. */
export function Examples({ settings, choose }: { settings: Settings | null; choose: (text: string) => void }) {
  const offline = settings !== null && settings.runner === "own" && settings.model === null;
  return (
    <div className="welcome">
      <img src="/satchel.svg" alt="" width="56" height="56" />
      <h1>What should we work on?</h1>
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
          <ul className="examples">
            {EXAMPLES.map((example) => (
              <li key={example.title}>
                <button type="button" onClick={() => choose(example.text)}>
                  <strong>{example.title}</strong>
                  <span>{example.about}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
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
