/** The state of being signed in, shared by every part of the page. How one signs in is a `SignIn`'s business. */

import type { TokenSource } from "@/api/client";
import { clearAllUsers, clearOtherUsers } from "@/cache/userStorage";
import { type Identity, identityFromToken } from "./identity";

export interface Credentials {
  token: string;
  profile: Record<string, unknown>;
}

/** A way of signing in. */
export interface SignInMethod {
  /** What was kept from an earlier visit, or brought back from the provider just now; null: nobody. */
  restore(): Promise<Credentials | null>;
  /** Leaves the page to sign in; the page opens at `returnTo` afterwards. */
  signIn(returnTo: string, hint?: string): Promise<void>;
  /** A fresh token without asking anybody; null: the user has to sign in again. */
  renew(): Promise<Credentials | null>;
  /** Whether the token is so near its end that `renew` is worth trying first. */
  isExpiring(): boolean;
  /** Forgets the tokens here and, where the provider can, there. May leave the page. */
  signOut(): Promise<void>;
  /** Calls back when the tokens were forgotten in another tab. */
  onSignedOutElsewhere(listener: () => void): () => void;
}

export type SessionState =
  | { status: "starting" }
  | { status: "signed_out"; problem?: string }
  /** `expired`: the API takes the token no longer; what is on the page stays until the user signs in again. */
  | { status: "signed_in"; identity: Identity; expired: boolean };

/** Who is signed in, and the tokens for the API. */
export class Session implements TokenSource {
  #state: SessionState = { status: "starting" };
  #token: string | null = null;
  /** Every token of the user who is signed in, up to the present one. */
  readonly #tokens = new Set<string>();
  #renewing: Promise<boolean> | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #cleaners = new Set<() => void>();

  /** `store`: where the users' things are kept, if not in this browser's own storage. */
  constructor(
    readonly method: SignInMethod,
    readonly options: { store?: Storage } = {},
  ) {
    method.onSignedOutElsewhere(() => this.#forget());
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls back on every change of `state`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): SessionState => this.#state;

  /** Registers what has to be emptied when the user signs out. What `userStorage` keeps is removed anyway. */
  onSignOut(cleaner: () => void): () => void {
    this.#cleaners.add(cleaner);
    return () => this.#cleaners.delete(cleaner);
  }

  /** Finds out who is signed in. */
  async start(): Promise<void> {
    try {
      const kept = await this.method.restore();
      if (kept) this.#accept(kept);
      else this.#set({ status: "signed_out" });
    } catch (error) {
      this.#set({
        status: "signed_out",
        problem: error instanceof Error ? error.message : "Signing in failed.",
      });
    }
  }

  /** Leaves the page to sign in and comes back to the same place. */
  async signIn(): Promise<void> {
    const { pathname, search, hash } = window.location;
    const known = this.#state.status === "signed_in" ? this.#state.identity.user : undefined;
    try {
      await this.method.signIn(pathname + search + hash, known);
    } catch (error) {
      const problem = error instanceof Error ? error.message : "The sign-in can't be reached.";
      if (this.#state.status !== "signed_in") this.#set({ status: "signed_out", problem });
      else throw error;
    }
  }

  async getToken(): Promise<string | null> {
    if (this.method.isExpiring()) await this.#renew();
    return this.#token;
  }

  async renewRejected(token: string | null): Promise<boolean> {
    // A request that was under way while the token was renewed says nothing about the new one.
    const renewed = token !== this.#token || (await this.#renew());
    if (!renewed && this.#state.status === "signed_in") this.#set({ ...this.#state, expired: true });
    // What one user asked for is never asked again in another's name.
    return renewed && token !== null && this.#tokens.has(token);
  }

  /** Forgets the user, and everything kept for anybody, in this browser. */
  async signOut(): Promise<void> {
    this.#forget();
    await this.method.signOut();
  }

  #renew(): Promise<boolean> {
    this.#renewing ??= this.method
      .renew()
      .then((fresh) => {
        if (fresh) this.#accept(fresh);
        return fresh !== null;
      })
      .catch(() => false)
      .finally(() => {
        this.#renewing = null;
      });
    return this.#renewing;
  }

  #accept({ token, profile }: Credentials): void {
    const identity = identityFromToken(token, profile);
    const before = this.#state.status === "signed_in" ? this.#state.identity : null;
    if (before && before.userKey !== identity.userKey) {
      this.#tokens.clear();
      for (const clean of this.#cleaners) clean();
    }
    this.#token = token;
    this.#tokens.add(token);
    clearOtherUsers(identity.userKey, this.options.store);
    if (before?.userKey === identity.userKey)
      this.#set({ status: "signed_in", identity: before, expired: false });
    else this.#set({ status: "signed_in", identity, expired: false });
  }

  #forget(): void {
    this.#token = null;
    this.#tokens.clear();
    for (const clean of this.#cleaners) clean();
    clearAllUsers(this.options.store);
    this.#set({ status: "signed_out" });
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
