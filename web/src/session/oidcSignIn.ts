/** Signing in by OpenID Connect: authorization code with PKCE, tokens kept in this browser until signed out. */

import { type User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import type { PageConfig } from "@/config";
import type { Credentials, SignInMethod } from "./session";

const RENEW_BEFORE_S = 60;

/** The sign-in of the deployment's OpenID provider. */
export function oidcSignIn(config: PageConfig): SignInMethod {
  const home = `${window.location.origin}/`;
  const manager = new UserManager({
    authority: config.authority,
    client_id: config.client_id,
    scope: config.scope,
    redirect_uri: home,
    post_logout_redirect_uri: home,
    response_type: "code",
    // Only by refresh token, see `renew`: a hidden frame would need the provider to be framed.
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: window.localStorage, prefix: "omniforge:oidc:" }),
    stateStore: new WebStorageStateStore({ store: window.localStorage, prefix: "omniforge:oidc-state:" }),
  });
  let current: User | null = null;
  const credentials = (user: User | null): Credentials | null => {
    current = user;
    const token = config.token === "id_token" ? user?.id_token : user?.access_token;
    return user && token ? { token, profile: user.profile } : null;
  };

  return {
    async restore() {
      void manager.clearStaleState();
      const query = new URLSearchParams(window.location.search);
      if (!query.has("state") || !(query.has("code") || query.has("error"))) {
        return credentials(await manager.getUser());
      }
      return credentials(await finishRedirect(manager));
    },
    async signIn(returnTo, hint) {
      const login_hint = text(current?.profile.login_hint) ?? hint;
      await manager.signinRedirect({ state: { returnTo }, ...(login_hint ? { login_hint } : {}) });
    },
    async renew() {
      if (!current?.refresh_token) return null;
      return credentials(await manager.signinSilent());
    },
    isExpiring() {
      return Boolean(current?.refresh_token && (current.expires_in ?? Infinity) < RENEW_BEFORE_S);
    },
    async signOut() {
      const hint = current?.id_token;
      await manager.removeUser();
      current = null;
      const metadata = await manager.metadataService.getMetadata().catch(() => null);
      if (metadata?.end_session_endpoint) {
        await manager.signoutRedirect(hint ? { id_token_hint: hint } : {}).catch(() => undefined);
      }
    },
    onSignedOutElsewhere(listener) {
      const kept = `omniforge:oidc:user:${config.authority}:${config.client_id}`;
      const watch = (event: StorageEvent) => {
        if (event.key === null || (event.key === kept && event.newValue === null)) listener();
      };
      window.addEventListener("storage", watch);
      return () => window.removeEventListener("storage", watch);
    },
  };
}

/** The user the provider sent back. The address is cleaned first: a code works once, and a reload would repeat it. */
async function finishRedirect(manager: UserManager): Promise<User | null> {
  const url = window.location.href;
  window.history.replaceState(null, "", "/");
  try {
    const user = await manager.signinRedirectCallback(url);
    window.history.replaceState(
      null,
      "",
      sanitizeReturnPath((user.state as { returnTo?: unknown } | undefined)?.returnTo),
    );
    return user;
  } catch (error) {
    // Opened from the browser's history: who signed in then is still signed in.
    const kept = await manager.getUser();
    if (kept && !kept.expired) return kept;
    throw error;
  }
}

/** A path of this page, whatever was kept. */
export function sanitizeReturnPath(path: unknown): string {
  return typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : "/";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value ? value : undefined;
}
