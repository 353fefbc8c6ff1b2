import { useState, type FormEvent } from "react";
import { Icon } from "./icons";
import { readable } from "./step-detail";
import type { Answer, Line } from "./types";

interface Props {
  asks: readonly Line[];
  /** Whether an answer can hold for the chat. */
  inChat?: boolean;
  answer: (answer: Answer) => Promise<void>;
}

/** What a run waits for: a card with buttons for each. */
export default function AskCards({ asks, inChat = true, answer }: Props) {
  return asks.map((ask) => <AskCard key={ask.id} ask={ask} inChat={inChat} answer={answer} />);
}

function AskCard({ ask, inChat, answer }: { ask: Line; inChat: boolean; answer: Props["answer"] }) {
  const [sending, setSending] = useState(false);
  const send = (given: Omit<Answer, "askId">) => {
    setSending(true);
    void answer({ askId: ask.id ?? "", ...given }).finally(() => setSending(false));
  };
  const isQuestion = ask.kind === "question";
  return (
    <section className="ask" aria-label={isQuestion ? "Question" : "Approval"}>
      <header>
        <Icon name="pause" />
        <strong>{isQuestion ? (ask.question ?? "") : `May Satchel run ${ask.tool ?? ""}?`}</strong>
      </header>
      {isQuestion ? (
        <Question options={ask.options ?? []} disabled={sending} send={send} />
      ) : (
        <>
          <pre tabIndex={0}>{readable(ask.args ?? {})}</pre>
          {ask.truncated && <p className="step-cut">Cut here. The trace of the run has all of it.</p>}
          <div className="ask-buttons">
            <button type="button" className="button primary" disabled={sending} onClick={() => send({ decision: "allow" })}>
              Allow once
            </button>
            {inChat && (
              <button
                type="button"
                className="button"
                disabled={sending}
                onClick={() => send({ decision: "allow", remember: "chat" })}
              >
                Allow in this chat
              </button>
            )}
            <button type="button" className="button" disabled={sending} onClick={() => send({ decision: "deny" })}>
              Deny
            </button>
          </div>
        </>
      )}
    </section>
  );
}

interface QuestionProps {
  options: readonly string[];
  disabled: boolean;
  send: (given: Omit<Answer, "askId">) => void;
}

/** Options to choose from, and a text for any other answer. */
function Question({ options, disabled, send }: QuestionProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text") ?? "").trim();
    if (text !== "") send({ decision: "allow", text });
  };
  return (
    <>
      {options.length > 0 && (
        <div className="ask-buttons">
          {options.map((option) => (
            <button
              key={option}
              type="button"
              className="button"
              disabled={disabled}
              onClick={() => send({ decision: "allow", text: option })}
            >
              {option}
            </button>
          ))}
        </div>
      )}
      <form className="ask-buttons" onSubmit={submit}>
        <input name="text" aria-label="Your answer" placeholder="Your answer" maxLength={65_536} disabled={disabled} />
        <button type="submit" className="button primary" disabled={disabled}>
          Answer
        </button>
        <button type="button" className="button" disabled={disabled} onClick={() => send({ decision: "deny" })}>
          Skip
        </button>
      </form>
    </>
  );
}
