import { getJson, sendJson } from "./api";
import type { Credential } from "./types";

const ALL = "/api/credentials";
const pathOf = (name: string) => `${ALL}/${encodeURIComponent(name)}`;

/** What a person sends to store a credential. */
export interface NewCredential {
  name: string;
  value?: string;
  oauth?: { scopes: string[] } & Record<string, string | string[] | undefined>;
}

export const credentials = {
  list: async () => (await getJson<{ credentials: Credential[] }>(ALL)).credentials,
  create: (credential: NewCredential) => sendJson<Credential>("POST", ALL, credential),
  replace: (name: string, value: string) => sendJson<Credential>("PUT", pathOf(name), { value }),
  remove: (name: string) => sendJson<void>("DELETE", pathOf(name)),
  finish: (state: string, code: string) => sendJson<Credential>("POST", `${ALL}/authorizations`, { state, code }),
};

const BEGUN = "login";

/** Leaves the page for the login at the service, which returns to /connect. */
export async function logIn(name: string): Promise<void> {
  const { authorizationUrl } = await sendJson<{ authorizationUrl: string }>("POST", `${pathOf(name)}/authorization`, {});
  const address = new URL(authorizationUrl);
  if (!/^https?:$/.test(address.protocol)) throw new Error(`The service has no web address: ${address.protocol}`);
  try {
    sessionStorage.setItem(BEGUN, address.searchParams.get("state") ?? "");
  } catch {
    // without storage /connect asks the person
  }
  location.assign(address);
}

/** Whether this tab has begun the login; it says so once. */
export function hasBegun(state: string): boolean {
  try {
    const begun = sessionStorage.getItem(BEGUN);
    sessionStorage.removeItem(BEGUN);
    return begun === state;
  } catch {
    return false;
  }
}

/** A state ends with the name of its credential. The server checks it. */
export const nameIn = (state: string) => state.slice(state.indexOf(".") + 1);
