/** Errors of API requests, with a stable code: those the API returns and those of the network. */

import type { components } from "./schema";

export type ProblemBody = components["schemas"]["Problem"];

/** There was no response: no network, or the connection broke. */
const UNREACHABLE = "unreachable";
/** The session has ended; the API rejects every request until the user signs in again. */
const SIGNED_OUT = "unauthenticated";

/** A request that failed; `code` identifies the reason. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: string,
    /** The HTTP status; 0 if there was no response. */
    readonly status: number,
    readonly title: string,
    readonly detail: string | null = null,
    readonly requestId: string | null = null,
    /** Seconds to wait before the next try, if the API says so. */
    readonly retryAfterS: number | null = null,
    /** What else the body says; which members there are depends on the code. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail ?? title);
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  static unreachable(): ApiError {
    return new ApiError(UNREACHABLE, 0, "No connection", "The service can't be reached.");
  }

  /** The error in a body of `application/problem+json`; for any other body, an error named after the status. */
  static fromResponse(body: unknown, status: number, headers?: Headers): ApiError {
    const retryAfter = Number(headers?.get("Retry-After") ?? "");
    const problem = isProblem(body) ? body : null;
    return new ApiError(
      problem?.code ?? (status === 401 ? SIGNED_OUT : `http_${status}`),
      problem?.status ?? status,
      problem?.title ?? "The service did not answer as expected",
      problem?.detail ?? null,
      problem?.request_id ?? null,
      retryAfter > 0 ? retryAfter : null,
      { ...problem },
    );
  }

  /** Converts anything thrown: whatever `fetch` throws means that there was no response. */
  static from(error: unknown): ApiError {
    return error instanceof ApiError ? error : ApiError.unreachable();
  }
}

export function isProblem(value: unknown): value is ProblemBody {
  const body = value as Partial<ProblemBody> | null;
  return typeof body === "object" && body !== null && typeof body.code === "string";
}
