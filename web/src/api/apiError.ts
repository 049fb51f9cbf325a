/** Refusals of the API as errors with a stable code, and what went wrong before the API could answer. */

import type { components } from "./schema";

export type ProblemBody = components["schemas"]["Problem"];

/** The request never got an answer: no network, or the connection broke. */
export const UNREACHABLE = "unreachable";
/** The session has ended; the API takes no request until the user signs in again. */
export const SIGNED_OUT = "unauthenticated";

/** A request that was refused or not answered. `code` says which refusal it is. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: string,
    /** The HTTP status; 0: there was no answer. */
    readonly status: number,
    readonly title: string,
    readonly detail: string | null = null,
    readonly requestId: string | null = null,
    /** Seconds after which the API wants to be asked again. */
    readonly retryAfterS: number | null = null,
  ) {
    super(detail ?? title);
  }

  /** Whether the same request may succeed a little later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** The request never reached anybody who could answer. */
  static unreachable(): ApiError {
    return new ApiError(UNREACHABLE, 0, "No connection", "The service can't be reached.");
  }

  /** The refusal in a body of `application/problem+json`; anything else is named by its status. */
  static fromResponse(body: unknown, status: number, headers?: Headers): ApiError {
    const retryAfter = Number(headers?.get("Retry-After") ?? "");
    const told = isProblem(body) ? body : null;
    return new ApiError(
      told?.code ?? (status === 401 ? SIGNED_OUT : `http_${status}`),
      told?.status ?? status,
      told?.title ?? "The service did not answer as expected",
      told?.detail ?? null,
      told?.request_id ?? null,
      retryAfter > 0 ? retryAfter : null,
    );
  }

  /** The error as one of ours; what `fetch` throws means that nobody answered. */
  static from(error: unknown): ApiError {
    return error instanceof ApiError ? error : ApiError.unreachable();
  }
}

/** Whether a value is the body of a refusal. */
export function isProblem(value: unknown): value is ProblemBody {
  const body = value as Partial<ProblemBody> | null;
  return typeof body === "object" && body !== null && typeof body.code === "string";
}
