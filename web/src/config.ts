/** Deployment settings of the page, from `/config.json`; read before anybody signs in. */

export interface PageConfig {
  /** The OpenID provider's address. */
  authority: string;
  client_id: string;
  scope: string;
  /** The API's origin; empty for the page's own. */
  api: string;
  /** The kind of token the API accepts. */
  token: "access_token" | "id_token";
  /** Sites that may embed the chat. */
  embed_origins: string[];
}

/** Fetches the settings. Throws if they can't be read: nobody can sign in without them. */
export async function loadConfig(fetcher: typeof fetch = fetch): Promise<PageConfig> {
  const response = await fetcher("/config.json", { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`/config.json: ${response.status}`);
  const loaded = (await response.json()) as Partial<PageConfig>;
  if (!loaded.authority || !loaded.client_id) throw new Error("/config.json names no sign-in");
  return {
    authority: loaded.authority,
    client_id: loaded.client_id,
    scope: loaded.scope ?? "openid",
    api: loaded.api ?? "",
    token: loaded.token === "id_token" ? "id_token" : "access_token",
    embed_origins: loaded.embed_origins ?? [],
  };
}

const STORAGE_KEY = "omniforge:config";

/** The settings of the last visit, to start with until the current ones arrive; null if there are none. */
export function readCachedConfig(): PageConfig | null {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as PageConfig | null;
  } catch {
    return null;
  }
}

/** Stores the settings for the next visit. Returns whether they differ from the stored ones. */
export function cacheConfig(config: PageConfig): boolean {
  const text = JSON.stringify(config);
  try {
    const hasChanged = localStorage.getItem(STORAGE_KEY) !== text;
    if (hasChanged) localStorage.setItem(STORAGE_KEY, text);
    return hasChanged;
  } catch {
    return true;
  }
}
