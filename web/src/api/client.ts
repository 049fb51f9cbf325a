/** Typed API client. Every request carries the session's token, and every failure is an `ApiError`. */

import createClient, { type Client, type Middleware } from "openapi-fetch";
import { ApiError } from "./apiError";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];
export type Api = Client<paths>;

/** Source of tokens: the page's own sign-in, or the site that embeds the chat. */
export interface TokenSource {
  /** The token to send, renewed first if it is about to expire; null if nobody is signed in. */
  getToken(): Promise<string | null>;
  /** Called when the API rejects the token. Returns whether there is a new one; if not, the user has to sign in again. */
  renewRejected(token: string | null): Promise<boolean>;
}

/** A `fetch` that adds the session's token. If the API rejects it and the session can renew it, the request is repeated once. */
export function authorizedFetch(tokens: TokenSource, fetcher: typeof fetch = fetch): typeof fetch {
  const send = async (request: Request, token: string | null): Promise<Response> => {
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
    return fetcher(request);
  };
  return async (input, init) => {
    const token = await tokens.getToken();
    const request = new Request(input, init);
    const retry = request.clone();
    const response = await send(request, token);
    if (response.status !== 401 || !(await tokens.renewRejected(token))) return response;
    return send(retry, await tokens.getToken());
  };
}

/** The client for one session. Use it with `unwrap`: `await unwrap(api.GET("/v1/agents"))`. */
export function createApi(origin: string, tokens: TokenSource, fetcher?: typeof fetch): Api {
  const api = createClient<paths>({
    baseUrl: origin || window.location.origin,
    fetch: authorizedFetch(tokens, fetcher),
  });
  api.use(networkErrorMiddleware);
  return api;
}

const networkErrorMiddleware: Middleware = { onError: ({ error }) => ApiError.from(error) };

interface ApiResult<T> {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}

/** The data of a response. Throws an `ApiError` if the request failed. */
export async function unwrap<T>(request: Promise<ApiResult<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw ApiError.fromResponse(error, response.status, response.headers);
  return data as T;
}

/** The body of a PATCH request. Omitted fields stay unchanged, although the generated types require all of them. */
export const partialBody = <T>(change: Partial<T>): T => change as T;
