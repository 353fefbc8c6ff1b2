import { useEffect, useRef, useState } from "react";
import { copyText } from "./clipboard";
import { credentials, hasBegun, nameIn } from "./credentials";
import { Logo } from "./icons";
import { Page } from "./page";
import { PageLink } from "./sidebar";

/** What a service sends with the browser. */
interface Login {
  state: string;
  code: string;
}

/** Where a service sends the browser after a person has logged in there for a credential. */
export default function ConnectPage({ openMenu }: { openMenu: () => void }) {
  const [text, setText] = useState("Connecting…");
  const [asked, setAsked] = useState<Login | null>(null);
  const started = useRef(false);
  const connect = (login: Login) => {
    setAsked(null);
    setText("Connecting…");
    credentials.finish(login.state, login.code).then(
      ({ name }) => setText(`${name} is connected. Agents can use it now.`),
      (error: unknown) => setText(`Not connected: ${words(error)}`),
    );
  };
  useEffect(() => {
    if (started.current) return; // a code is valid once
    started.current = true;
    const answer = new URLSearchParams(location.search);
    history.replaceState(null, "", location.pathname); // the code stays neither in the address nor in the history
    const [state, code] = [answer.get("state"), answer.get("code")];
    const refusal = answer.get("error_description") ?? answer.get("error");
    if (refusal !== null) setText(`Not connected: ${refusal}`);
    else if (state === null || code === null) setText("Not connected: this address has no code of a service.");
    else if (hasBegun(state)) connect({ state, code });
    else setAsked({ state, code });
  }, []);
  return (
    <Page title="Connect" openMenu={openMenu}>
      <section className="card">
        {asked ? (
          <Confirmation login={asked} connect={() => connect(asked)} refuse={() => {
            setAsked(null);
            setText("Not connected: you refused it.");
          }} />
        ) : (
          <p role="status">{text}</p>
        )}
        <PageLink to="/credentials" className="link">
          All credentials
        </PageLink>
      </section>
    </Page>
  );
}

/** A link of an attacker could bring the account of the attacker. */
function Confirmation({ login, connect, refuse }: { login: Login; connect: () => void; refuse: () => void }) {
  const name = nameIn(login.state);
  return (
    <>
      <p role="status">
        This login for the credential <strong>{name}</strong> was not begun in this tab. Connect it only if you have just
        logged in at the service yourself: agents will work with the account that logged in.
      </p>
      <div className="actions">
        <button type="button" className="button primary" onClick={connect}>
          Connect {name}
        </button>
        <button type="button" className="button" onClick={refuse}>
          Do not connect
        </button>
      </div>
    </>
  );
}

/** For a browser that is not logged in: the terminal that began the login finishes it. */
export function ConnectElsewhere() {
  const [address] = useState(location.href);
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  return (
    <main className="login">
      <Logo />
      <h1>Back to the terminal</h1>
      <p>
        This browser is not logged in to Satchel. If <code>./satchel credentials login</code> waits in a terminal, paste
        this address there:
      </p>
      <textarea readOnly rows={6} aria-label="Address for the terminal" value={address} onFocus={(event) => event.target.select()} />
      <button type="button" className="button" onClick={() => void copyText(address)}>
        Copy
      </button>
      <p>It can be used once, within 15 minutes. If you began on the page, log in to Satchel and begin again.</p>
    </main>
  );
}

const words = (error: unknown) => (error instanceof Error ? error.message : "something went wrong.");
