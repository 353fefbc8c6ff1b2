import { useId, type ReactNode } from "react";
import { ApiError } from "./api";

/** What the server says about one field of a request: its path, and the whole sentence. */
export interface FieldError {
  field: string;
  text: string;
}

/** The refusal of one of these fields: its sentence begins with the path of the field. */
export function fieldErrorIn(error: unknown, fields: readonly string[]): FieldError {
  const text = error instanceof Error ? error.message : String(error);
  const named = fields.filter((field) => text.startsWith(field) && /^[\s.:]/.test(text.slice(field.length)));
  return { field: named.reduce((longest, field) => (field.length > longest.length ? field : longest), ""), text };
}

/** The server names the field first: "oauth.resource must be an http or https address". */
export function fieldErrorOf(error: unknown): FieldError {
  const text = error instanceof Error ? error.message : String(error);
  const isOfField = error instanceof ApiError && (error.status === 400 || error.status === 409);
  return { field: isOfField ? text.slice(0, Math.max(0, text.search(/[\s:]/))) : "", text };
}

interface Props {
  label: ReactNode;
  hint?: ReactNode;
  /** The path of the field in the request. */
  field: string;
  error: FieldError | null;
  /** The input, with the attributes that connect it with the error. */
  children: (attributes: FieldAttributes) => ReactNode;
}

interface FieldAttributes {
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
}

/** An input with its label, and what the server refuses about it. */
export function Field({ label, hint, field, error, children }: Props) {
  const id = useId();
  const isRefused = error?.field === field;
  return (
    <div className="field">
      <label>
        {label} {hint && <small>{hint}</small>}
        {children({
          "aria-invalid": isRefused || undefined,
          "aria-describedby": isRefused ? id : undefined,
        })}
      </label>
      {isRefused && (
        <p className="field-error" id={id} role="alert">
          {error.text}
        </p>
      )}
    </div>
  );
}

/** A refusal that belongs to none of the fields of a form. */
export function OtherError({ error, fields }: { error: FieldError | null; fields: readonly string[] }) {
  if (!error || fields.includes(error.field)) return null;
  return (
    <p className="field-error" role="alert">
      {error.text}
    </p>
  );
}
