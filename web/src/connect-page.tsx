import { useEffect, useRef, useState } from "react";
import { sendJson } from "./api";
import { Page } from "./page";

/** Where a service sends the browser after a person has logged in there for a credential. */
export default function ConnectPage({ openMenu }: { openMenu: () => void }) {
  const [text, setText] = useState("Connecting…");
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return; // a code is valid once
    started.current = true;
    const answer = new URLSearchParams(location.search);
    history.replaceState(null, "", location.pathname); // the code stays neither in the address nor in the history
    finish(answer).then(setText, (error: unknown) => setText(`Not connected: ${words(error)}`));
  }, []);
  return (
    <Page title="Connect" openMenu={openMenu}>
      <section className="card">
        <p role="status">{text}</p>
      </section>
    </Page>
  );
}

async function finish(answer: URLSearchParams): Promise<string> {
  const [state, code] = [answer.get("state"), answer.get("code")];
  const refusal = answer.get("error_description") ?? answer.get("error");
  if (refusal !== null) throw new Error(refusal);
  if (state === null || code === null) throw new Error("this address has no code of a service.");
  const credential = await sendJson<{ name: string }>("POST", "/api/credentials/authorizations", { state, code });
  return `${credential.name} is connected. Agents can use it now.`;
}

const words = (error: unknown) => (error instanceof Error ? error.message : "something went wrong.");
