/** Signs in through the embedding site, which provides its user's token and renews it on request. */

import { jwtClaims } from "@/session/identity";
import type { Credentials, SignInMethod } from "@/session/session";
import { type Peer, postToPeer, readHostMessage } from "../protocol";

const ANSWER_WITHIN_MS = 30_000;
const RENEW_BEFORE_S = 30;
/** If the API rejects the new token as well, asking again at once is pointless. */
const MIN_BETWEEN_RENEWALS_MS = 10_000;

/** `onSignedIn` is called when the user signed in by themselves; `restore` then gives the token. */
export function hostSignIn(host: Peer, onSignedIn: () => void, now: () => number = Date.now): SignInMethod {
  const pending = new Map<number, (token: string | null) => void>();
  const signOutListeners = new Set<() => void>();
  let lastId = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let current: string | null = null;
  let requested: Credentials | null = null;

  window.addEventListener("message", (event) => {
    const message = readHostMessage(event, host);
    if (message?.type === "token") {
      pending.get(message.id)?.(message.token);
      pending.delete(message.id);
    } else if (message?.type === "signed_out") {
      current = null;
      for (const listener of signOutListeners) listener();
    }
  });

  function requestToken(renew: boolean): Promise<Credentials | null> {
    const id = ++lastId;
    const answer = new Promise<string | null>((resolve) => {
      pending.set(id, resolve);
      setTimeout(() => {
        pending.delete(id);
        resolve(null);
      }, ANSWER_WITHIN_MS);
    });
    postToPeer(host, { type: "token_wanted", id, renew });
    return answer.then((token) => {
      current = token;
      return token === null ? null : { token, profile: jwtClaims(token) };
    });
  }

  return {
    async restore() {
      const credentials = requested ?? (await requestToken(false));
      requested = null;
      return credentials;
    },
    async signIn() {
      renewedAt = Number.NEGATIVE_INFINITY;
      requested = await requestToken(true);
      if (requested) onSignedIn();
    },
    async renew() {
      if (now() - renewedAt < MIN_BETWEEN_RENEWALS_MS) return null;
      renewedAt = now();
      const before = current;
      const credentials = await requestToken(true);
      return credentials?.token === before ? null : credentials;
    },
    isExpiring() {
      const { exp } = jwtClaims(current ?? "");
      return typeof exp === "number" && exp * 1000 - now() < RENEW_BEFORE_S * 1000;
    },
    async signOut() {
      current = null;
    },
    onSignedOutElsewhere(listener) {
      signOutListeners.add(listener);
      return () => signOutListeners.delete(listener);
    },
  };
}
