import { navigate } from "./router";
import { store, stored } from "./theme";

/** Browsers offer notifications only to secure origins. */
export const canNotify = () => "Notification" in globalThis && isSecureContext;

export const wantsNotifications = () => canNotify() && Notification.permission === "granted" && stored("notify") === "on";

/** Asks the browser when it has not been asked; false if it does not allow notifications. */
export async function askForNotifications(): Promise<boolean> {
  const allowed = (await Notification.requestPermission()) === "granted";
  store("notify", allowed ? "on" : null);
  return allowed;
}

export const stopNotifications = () => store("notify", null);

/** Tells what happened; a click leads to the tab, and to another address of it if one is given. */
export function notify(title: string, body: string, address?: string): void {
  if (!wantsNotifications()) return;
  try {
    const notification = new Notification(title, { body, icon: "/satchel.svg", tag: address ?? location.pathname });
    notification.onclick = () => {
      window.focus();
      if (address !== undefined) navigate(address);
      notification.close();
    };
  } catch {
    // browsers of phones allow it to service workers only
  }
}
