/** The user's session: who is signed in, and the tokens for the API. How users sign in is up to a `SignInMethod`. */

import type { TokenSource } from "@/api/client";
import { clearAllUsers, clearOtherUsers } from "@/cache/userStorage";
import { type Identity, identityFromToken } from "./identity";

export interface Credentials {
  token: string;
  profile: Record<string, unknown>;
}

export interface SignInMethod {
  /** The credentials of an earlier visit, or those the provider just sent back; null if nobody is signed in. */
  restore(): Promise<Credentials | null>;
  /** Leaves the page to sign in. The page opens at `returnTo` afterwards. */
  signIn(returnTo: string, hint?: string): Promise<void>;
  /** Gets a new token without asking the user; null if they have to sign in again. */
  renew(): Promise<Credentials | null>;
  /** Whether the token expires so soon that it should be renewed before use. */
  isExpiring(): boolean;
  /** Removes the tokens, and signs out at the provider if it supports that. May leave the page. */
  signOut(): Promise<void>;
  /** Calls back when the user signed out in another tab. */
  onSignedOutElsewhere(listener: () => void): () => void;
}

export type SessionState =
  | { status: "starting" }
  | { status: "signed_out"; problem?: string }
  /** `expired`: the API rejects the token. The page keeps its content until the user signs in again. */
  | { status: "signed_in"; identity: Identity; expired: boolean };

export class Session implements TokenSource {
  #state: SessionState = { status: "starting" };
  #token: string | null = null;
  /** All tokens of the signed-in user so far. */
  readonly #tokens = new Set<string>();
  #renewing: Promise<boolean> | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #cleaners = new Set<() => void>();

  /** `store` holds the users' data; the browser's local storage by default. */
  constructor(
    readonly method: SignInMethod,
    readonly options: { store?: Storage } = {},
  ) {
    method.onSignedOutElsewhere(() => this.#clear());
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

  /** Registers a cleanup for when the user signs out. What `userStorage` holds is removed anyway. */
  onSignOut(cleaner: () => void): () => void {
    this.#cleaners.add(cleaner);
    return () => this.#cleaners.delete(cleaner);
  }

  /** Restores the session of an earlier visit, if there is one. */
  async start(): Promise<void> {
    try {
      const credentials = await this.method.restore();
      if (credentials) this.#accept(credentials);
      else this.#set({ status: "signed_out" });
    } catch (error) {
      this.#set({
        status: "signed_out",
        problem: error instanceof Error ? error.message : "Signing in failed.",
      });
    }
  }

  /** Leaves the page to sign in, and returns to the same address. */
  async signIn(): Promise<void> {
    const { pathname, search, hash } = window.location;
    const user = this.#state.status === "signed_in" ? this.#state.identity.user : undefined;
    try {
      await this.method.signIn(pathname + search + hash, user);
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
    // A request that was sent before the token was renewed says nothing about the new one.
    const isRenewed = token !== this.#token || (await this.#renew());
    if (!isRenewed && this.#state.status === "signed_in") this.#set({ ...this.#state, expired: true });
    // A request of one user must not be repeated in another's name.
    return isRenewed && token !== null && this.#tokens.has(token);
  }

  /** Signs out, and removes the data of all users from this browser. */
  async signOut(): Promise<void> {
    this.#clear();
    await this.method.signOut();
  }

  #renew(): Promise<boolean> {
    this.#renewing ??= this.method
      .renew()
      .then((credentials) => {
        if (credentials) this.#accept(credentials);
        return credentials !== null;
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

  #clear(): void {
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
