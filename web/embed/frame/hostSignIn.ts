/** Signing in by the site around the chat: it hands over its user's token, and a fresh one when that is refused. */

import { jwtClaims } from "@/session/identity";
import type { Credentials, SignInMethod } from "@/session/session";
import { type Peer, postToPeer, readHostMessage } from "../protocol";

const ANSWER_WITHIN_MS = 30_000;
const RENEW_BEFORE_S = 30;
/** A fresh token that is refused as well will not get better by asking on and on. */
const MIN_BETWEEN_RENEWALS_MS = 10_000;

/** The sign-in of the site. `take` is called when there is a token because the user asked for one: `restore` has it. */
export function hostSignIn(host: Peer, take: () => void, now: () => number = Date.now): SignInMethod {
  const waiting = new Map<number, (token: string | null) => void>();
  const endings = new Set<() => void>();
  let asked = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let current: string | null = null;
  let fresh: Credentials | null = null;

  window.addEventListener("message", (event) => {
    const message = readHostMessage(event, host);
    if (message?.type === "token") {
      waiting.get(message.id)?.(message.token);
      waiting.delete(message.id);
    } else if (message?.type === "signed_out") {
      current = null;
      for (const listener of endings) listener();
    }
  });

  function ask(renew: boolean): Promise<Credentials | null> {
    const id = ++asked;
    const answer = new Promise<string | null>((resolve) => {
      waiting.set(id, resolve);
      setTimeout(() => {
        waiting.delete(id);
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
      const given = fresh ?? (await ask(false));
      fresh = null;
      return given;
    },
    async signIn() {
      renewedAt = Number.NEGATIVE_INFINITY;
      fresh = await ask(true);
      if (fresh) take();
    },
    async renew() {
      if (now() - renewedAt < MIN_BETWEEN_RENEWALS_MS) return null;
      renewedAt = now();
      const before = current;
      const given = await ask(true);
      return given?.token === before ? null : given;
    },
    isExpiring() {
      const { exp } = jwtClaims(current ?? "");
      return typeof exp === "number" && exp * 1000 - now() < RENEW_BEFORE_S * 1000;
    },
    async signOut() {
      current = null;
    },
    onSignedOutElsewhere(listener) {
      endings.add(listener);
      return () => endings.delete(listener);
    },
  };
}
