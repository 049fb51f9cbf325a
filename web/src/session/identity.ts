/** The signed-in user as the page shows them. It grants nothing: the API decides by the token alone. */

import { jwtDecode } from "jwt-decode";
import { asList, asNumber, asRecord, asText } from "@/json";

export interface Identity {
  /** Distinguishes this user from every other on this machine. */
  userKey: string;
  user: string;
  tenant: string;
  /** Display name. */
  name: string;
  /** Such as `admin` and `operator`. */
  roles: readonly string[];
  /** When the token expires, in seconds since 1970; null if it does not say. */
  expiresAt: number | null;
}

/** The user of a token. Claims that the token lacks are taken from the sign-in's profile. */
export function identityFromToken(token: string, profile: Record<string, unknown> = {}): Identity {
  const claims = { ...profile, ...jwtClaims(token) };
  const user = asText(claims.sub) || "user";
  const tenant = asText(claims.tenant) || asText(claims.tenant_id);
  return {
    userKey: [asText(claims.iss), tenant, user].join("|"),
    user,
    tenant,
    roles: rolesOf(claims.roles ?? claims["cognito:groups"]),
    expiresAt: asNumber(claims.exp),
    name: asText(profile.name) || asText(profile.preferred_username) || asText(profile.email) || user,
  };
}

/** The unverified claims of a JWT; an empty object for any other token. */
export function jwtClaims(token: string): Record<string, unknown> {
  try {
    return asRecord(jwtDecode(token)) ?? {};
  } catch {
    return {};
  }
}

/** Roles as tokens have them: a list, or a text with spaces. */
function rolesOf(claim: unknown): readonly string[] {
  return typeof claim === "string" ? claim.split(/\s+/).filter(Boolean) : asList(claim).map(asText);
}
