/** What the deployment tells the page before anybody signs in: `/config.json`. */

export interface PageConfig {
  /** The OpenID provider's address. */
  authority: string;
  client_id: string;
  scope: string;
  /** The API's origin; empty: the page's own. */
  api: string;
  /** Which of the provider's tokens the API takes. */
  token: "access_token" | "id_token";
  /** Sites that may frame the chat. */
  embed_origins: string[];
}

/** The page's configuration. Throws when it can't be read: without it nobody can sign in. */
export async function loadConfig(fetcher: typeof fetch = fetch): Promise<PageConfig> {
  const response = await fetcher("/config.json", { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`/config.json: ${response.status}`);
  const told = (await response.json()) as Partial<PageConfig>;
  if (!told.authority || !told.client_id) throw new Error("/config.json names no sign-in");
  return {
    authority: told.authority,
    client_id: told.client_id,
    scope: told.scope ?? "openid",
    api: told.api ?? "",
    token: told.token === "id_token" ? "id_token" : "access_token",
    embed_origins: told.embed_origins ?? [],
  };
}

const KEPT = "omniforge:config";

/** The configuration of the last visit, to begin with until the present one is read; null: there was none. */
export function readCachedConfig(): PageConfig | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null") as PageConfig | null;
  } catch {
    return null;
  }
}

/** Keeps the configuration for the next visit; whether it is another than was kept. */
export function cacheConfig(config: PageConfig): boolean {
  const text = JSON.stringify(config);
  try {
    const isNew = localStorage.getItem(KEPT) !== text;
    if (isNew) localStorage.setItem(KEPT, text);
    return isNew;
  } catch {
    return true;
  }
}
