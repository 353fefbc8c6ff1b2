import { useId, type ReactNode } from "react";
import type { FieldError } from "./field";
import { Icon } from "./icons";

/** A name and a value. */
export type Pair = [string, string];

/** A row without a name is one that a person has not filled in. */
export const filled = (rows: readonly Pair[]) => rows.map(([name, value]): Pair => [name.trim(), value]).filter(([name]) => name !== "");

/** A name that two rows have: one of them would be lost. */
export function repeated(rows: readonly Pair[]): string | undefined {
  const names = filled(rows).map(([name]) => name);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** The rows as an object; nothing instead of an empty one, unless it was empty before. */
export function mapOf(rows: readonly Pair[], before: Record<string, string> | undefined): Record<string, string> | undefined {
  const pairs = filled(rows);
  return pairs.length === 0 && (before === undefined || Object.keys(before).length > 0) ? undefined : Object.fromEntries(pairs);
}

interface Props<Row> {
  title: string;
  hint?: string;
  /** The word for one row. */
  word: string;
  rows: Row[];
  change: (rows: Row[]) => void;
  field: string;
  error: FieldError | null;
}

/** Names with values, such as headers. */
export function Pairs(props: Props<Pair> & { value?: (value: string, label: string, change: (value: string) => void) => ReactNode }) {
  const set = (index: number, row: Pair) => props.change(props.rows.map((one, at) => (at === index ? row : one)));
  return (
    <Group {...props} add={() => props.change([...props.rows, ["", props.value ? "ask" : ""]])}>
      {props.rows.map(([name, value], index) => (
        <Row key={index} word={props.word} index={index} remove={() => props.change(props.rows.filter((_, at) => at !== index))}>
          <input
            aria-label={`Name of ${props.word} ${index + 1}`}
            value={name}
            onChange={(event) => set(index, [event.target.value, value])}
          />
          {props.value ? (
            props.value(value, `Value of ${props.word} ${index + 1}`, (changed) => set(index, [name, changed]))
          ) : (
            <textarea
              rows={1}
              aria-label={`Value of ${props.word} ${index + 1}`}
              value={value}
              onChange={(event) => set(index, [name, event.target.value])}
            />
          )}
        </Row>
      ))}
    </Group>
  );
}

/** Values in an order, such as arguments; a value may have lines. */
export function List(props: Props<string>) {
  return (
    <Group {...props} add={() => props.change([...props.rows, ""])}>
      {props.rows.map((value, index) => (
        <Row key={index} word={props.word} index={index} remove={() => props.change(props.rows.filter((_, at) => at !== index))}>
          <textarea
            rows={1}
            aria-label={`Value of ${props.word} ${index + 1}`}
            value={value}
            onChange={(event) => props.change(props.rows.map((one, at) => (at === index ? event.target.value : one)))}
          />
        </Row>
      ))}
    </Group>
  );
}

interface GroupProps {
  title: string;
  hint?: string;
  word: string;
  field: string;
  error: FieldError | null;
  add: () => void;
  children: ReactNode;
}

function Group({ title, hint, word, field, error, add, children }: GroupProps) {
  const id = useId();
  const isRefused = error?.field === field;
  return (
    <fieldset className="rows-group" aria-describedby={isRefused ? id : undefined}>
      <legend>
        {title} {hint && <small>{hint}</small>}
      </legend>
      {children}
      {isRefused && (
        <p className="field-error" id={id} role="alert">
          {error.text}
        </p>
      )}
      <button type="button" className="link" onClick={add}>
        <Icon name="plus" />
        {`Add ${word}`}
      </button>
    </fieldset>
  );
}

function Row({ word, index, remove, children }: { word: string; index: number; remove: () => void; children: ReactNode }) {
  return (
    <div className="row">
      {children}
      <button type="button" className="icon-button small" aria-label={`Remove ${word} ${index + 1}`} onClick={remove}>
        <Icon name="close" />
      </button>
    </div>
  );
}
