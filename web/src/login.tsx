import { Logo } from "./icons";

/** For a browser that is not signed in. The page behind the button needs no script. */
export default function Login() {
  const wanted = location.pathname + location.search;
  return (
    <main className="login">
      <Logo />
      <h1>Log in to Satchel</h1>
      <p>
        <a className="button" href={`/login?return=${encodeURIComponent(wanted)}`}>Sign in with a password</a>
      </p>
      <p>
        Or open the link that <code>./satchel serve</code> printed in the terminal when it started. It works once, for 15 minutes. This
        command prints a new one:
      </p>
      <pre>./satchel login-link</pre>
      <p>
        Programs use an API key instead: see <a href="/docs">the API</a>.
      </p>
    </main>
  );
}
