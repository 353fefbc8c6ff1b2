import { showError } from "./toasts";

/** Copies a text and returns whether that worked; a failure is shown. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyFromField(text);
    return true;
  } catch (error) {
    showError("The text was not copied.", error);
    return false;
  }
}

/** `navigator.clipboard` exists only on secure origins. What is outside an open dialog cannot be selected. */
function copyFromField(text: string): void {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  (document.querySelector("dialog:modal") ?? document.body).append(field);
  field.focus();
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error("The browser does not allow it.");
}
