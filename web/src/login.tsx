import { Logo } from "./icons";

/** There are no passwords: the operator of the server creates login links. */
export function Login() {
  return (
    <main className="login">
      <Logo />
      <h1>Log in to Satchel</h1>
      <p>
        Open the link that <code>./satchel serve</code> printed when it started. It works once. This command prints
        a new one:
      </p>
      <pre>./satchel login-link</pre>
      <p>
        Programs use an API key instead: see <a href="/docs">the API</a>.
      </p>
    </main>
  );
}
