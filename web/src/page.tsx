import { useEffect, type ReactNode } from "react";
import { Icon } from "./icons";
import { setTitle } from "./title";

/** The layout of every page that is not a chat. */
export function Page(props: { title: string; openMenu: () => void; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    setTitle(`${props.title} · Satchel`);
  }, [props.title]);
  return (
    <main className="page">
      <header className="bar">
        <button type="button" className="icon-button menu-button" aria-label="Open menu" onClick={props.openMenu}>
          <Icon name="menu" />
        </button>
        <h1>{props.title}</h1>
        {props.actions}
      </header>
      <div className="page-body" tabIndex={-1}>
        <div className="page-content">{props.children}</div>
      </div>
    </main>
  );
}
