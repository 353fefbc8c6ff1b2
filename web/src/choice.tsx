import { useEffect, useState } from "react";
import { store, stored } from "./theme";

/** What a message names when the person takes a choice back. */
const DEFAULT = "default";

/** The choice of an agent or a model for the next messages of a chat. */
export interface Choice {
  /** What is chosen; empty for the default. */
  value: string;
  /** What the next message names; undefined when the chat keeps what it has. */
  named: string | undefined;
  choose: (value: string) => void;
}

/** A choice that no message has named yet, and what the chat had when it was made. */
interface Unsent {
  value: string;
  before: string;
}

/**
 * The chat on the server has the choice that its last message named. This browser stores a newer one until the server has another
 * than before: then a message has named it, here or elsewhere.
 */
export function useChoice(kind: string, chatId: string | null, ofChat: string | null | undefined): Choice {
  const key = `${kind}:${chatId ?? "new"}`;
  const [unsent, setUnsent] = useState({ key, choice: read(key) });
  useEffect(() => {
    if (unsent.key === key) return;
    const created = unsent.key === `${kind}:new`; // the new chat got its id
    if (created) store(unsent.key, null);
    const choice = read(key) ?? (created ? unsent.choice : null);
    write(key, choice);
    setUnsent({ key, choice });
  }, [kind, key, unsent]);
  const before = ofChat ?? "";
  const choice = unsent.choice?.before === before ? unsent.choice : null;
  const value = choice?.value ?? before;
  return {
    value,
    named: value === before ? undefined : value === "" ? DEFAULT : value,
    choose: (chosen) => {
      const changed = { value: chosen, before };
      write(key, changed);
      setUnsent({ key, choice: changed });
    },
  };
}

function read(key: string): Unsent | null {
  try {
    const { value, before } = JSON.parse(stored(key) ?? "null") as Unsent;
    return { value, before };
  } catch {
    return null;
  }
}

function write(key: string, choice: Unsent | null): void {
  store(key, choice && JSON.stringify(choice));
}

interface PickerProps {
  label: string;
  title: string;
  choice: Choice;
  options: readonly { id: string; name: string }[];
}

/** What the chat has and the server no longer offers counts as the default. */
export function Picker({ label, title, choice, options }: PickerProps) {
  return (
    <select
      className="model-picker"
      aria-label={label}
      title={title}
      value={options.some(({ id }) => id === choice.value) ? choice.value : ""}
      onChange={(event) => choice.choose(event.target.value)}
    >
      <option value="">Default {label.toLowerCase()}</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
