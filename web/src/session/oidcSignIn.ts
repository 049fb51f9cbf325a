/** Signs in with OpenID Connect: authorization code flow with PKCE, tokens kept in this browser until sign-out. */

import { type User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import type { PageConfig } from "@/config";
import { asText } from "@/json";
import type { Credentials, SignInMethod } from "./session";

const RENEW_BEFORE_S = 60;
const COGNITO = /^https:\/\/cognito-idp\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\//;

export function oidcSignIn(config: PageConfig): SignInMethod {
  const home = `${window.location.origin}/`;
  const manager = new UserManager({
    authority: config.authority,
    client_id: config.client_id,
    scope: config.scope,
    redirect_uri: home,
    post_logout_redirect_uri: home,
    response_type: "code",
    // `renew` uses refresh tokens only: silent renewal in a hidden frame requires a provider that can be framed.
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
      const params = new URLSearchParams(window.location.search);
      if (!params.has("state") || !(params.has("code") || params.has("error"))) {
        return credentials(await manager.getUser());
      }
      return credentials(await finishRedirect(manager));
    },
    async signIn(returnTo, hint) {
      const login_hint = asText(current?.profile.login_hint) || hint;
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
      const idToken = current?.id_token;
      await manager.removeUser();
      current = null;
      const metadata = await manager.metadataService.getMetadata().catch(() => null);
      const cognito = metadata && cognitoSignOutUrl(config, metadata.authorization_endpoint, home);
      if (cognito) {
        window.location.assign(cognito);
      } else if (metadata?.end_session_endpoint) {
        await manager.signoutRedirect(idToken ? { id_token_hint: idToken } : {}).catch(() => undefined);
      }
    },
    onSignedOutElsewhere(listener) {
      const userKey = `omniforge:oidc:user:${config.authority}:${config.client_id}`;
      const onStorage = (event: StorageEvent) => {
        if (event.key === null || (event.key === userKey && event.newValue === null)) listener();
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
  };
}

/** The user the provider sent back. The address is cleaned first: a code works once, and a reload would send it again. */
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
    // If the address came from the browser's history, whoever signed in then is still signed in.
    const user = await manager.getUser();
    if (user && !user.expired) return user;
    throw error;
  }
}

/**
 * Where a Cognito user pool signs out; null for any other provider. Cognito's endpoint takes parameters of its own
 * instead of those of OpenID Connect, and not every pool announces it.
 */
export function cognitoSignOutUrl(
  config: Pick<PageConfig, "authority" | "client_id">,
  authorizationEndpoint: string | undefined,
  home: string,
): string | null {
  if (!COGNITO.test(config.authority) || !authorizationEndpoint) return null;
  const url = new URL("/logout", authorizationEndpoint);
  url.search = new URLSearchParams({ client_id: config.client_id, logout_uri: home }).toString();
  return url.href;
}

/** The path if it belongs to this page, otherwise `/`. */
export function sanitizeReturnPath(path: unknown): string {
  return typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : "/";
}
