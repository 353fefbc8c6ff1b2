import { useId, useRef, type ReactNode } from "react";
import { Icon } from "./icons";

/** A button that opens a small menu above everything else; Esc or a click elsewhere closes it. */
export function Menu({ label, look, children }: { label: string; look?: string | undefined; children: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const place = () => {
    const at = button.current?.getBoundingClientRect();
    const box = menu.current;
    if (!at || !box) return;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
    const below = at.bottom + 4;
    box.style.top = `${below + box.offsetHeight > innerHeight - 8 ? Math.max(8, at.top - box.offsetHeight - 4) : below}px`;
  };
  return (
    <>
      <button ref={button} type="button" className={look ?? "icon-button small"} aria-label={label} title={label} popoverTarget={id}>
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu"
        onToggle={place}
        onClick={(event) => (event.target as Element).closest("a, button") && menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}
