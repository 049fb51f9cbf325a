/** Who is signed in, as the page names them. The API decides by the token alone; nothing here grants anything. */

export interface Identity {
  /** Tells this user from every other on this machine. */
  userKey: string;
  user: string;
  tenant: string;
  /** What the account menu says. */
  name: string;
  roles: readonly string[];
}

/** The user behind a token, from its claims and, where it says nothing, from those of the sign-in. */
export function identityFromToken(token: string, profile: Record<string, unknown> = {}): Identity {
  const claims = { ...profile, ...jwtClaims(token) };
  const user = text(claims.sub) || "user";
  const tenant = text(claims.tenant) || text(claims.tenant_id) || "";
  const roles = Array.isArray(claims.roles) ? claims.roles.filter((role) => typeof role === "string") : [];
  return {
    userKey: [text(claims.iss), tenant, user].join("|"),
    user,
    tenant,
    name: text(profile.name) || text(profile.preferred_username) || text(profile.email) || user,
    roles,
  };
}

/** The claims in a JWT, unverified; none in any other token. */
export function jwtClaims(token: string): Record<string, unknown> {
  try {
    const part = token.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const isObject = typeof claims === "object" && claims !== null && !Array.isArray(claims);
    return isObject ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
