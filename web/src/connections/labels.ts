/** Texts for the state of a connection. */

/** Why a check failed, by the error codes of `tools.errors`. */
const CHECK_REASONS: Record<string, string> = {
  timeout: "It took too long to answer.",
  unreachable: "It could not be reached.",
  unavailable: "It, or the key it is called with, was not available.",
  too_large: "Its answer was too large.",
  url_blocked: "Its address is not one that may be called from here.",
  scheme_blocked: "Its address is not https.",
  result_invalid: "It does not speak MCP as it should.",
  not_allowed: "It refuses the key it is called with, or wants one.",
  not_found: "It is gone, or not yours to use.",
  sign_in_needed: "Somebody has to sign in to it first.",
};

export const checkReasonLabel = (reason: string): string =>
  CHECK_REASONS[reason] ?? "It did not answer as it should.";
