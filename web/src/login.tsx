import { Logo } from "./icons";

/** There is no password to type: whoever runs the server hands out links. */
export function Login() {
  return (
    <main className="login">
      <Logo />
      <h1>Log in to Satchel</h1>
      <p>
        Open the link that <code>./satchel serve</code> printed when it started. It works once; another one comes
        from
      </p>
      <pre>./satchel login-link</pre>
      <p>
        Programs use an API key instead: see <a href="/docs">the API</a>.
      </p>
    </main>
  );
}
