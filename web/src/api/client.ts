/** The typed client of the API: every request carries the session's token, every refusal is an `ApiError`. */

import createClient, { type Client, type Middleware } from "openapi-fetch";
import { ApiError } from "./apiError";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];
export type Api = Client<paths>;

/** Where tokens come from: the page's own sign-in, or the site that embeds the chat. */
export interface TokenSource {
  /** A token to send, renewed first if it is about to expire; null: nobody is signed in. */
  getToken(): Promise<string | null>;
  /** The API refused the token. Whether there is a fresh one; without it the user has to sign in again. */
  renewRejected(token: string | null): Promise<boolean>;
}

/**
 * A `fetch` that adds the session's token. A request whose token is refused is sent once more if the session gets
 * a fresh one without asking anybody.
 */
export function authorizedFetch(tokens: TokenSource, fetcher: typeof fetch = fetch): typeof fetch {
  const send = async (request: Request, token: string | null): Promise<Response> => {
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
    return fetcher(request);
  };
  return async (input, init) => {
    const token = await tokens.getToken();
    const request = new Request(input, init);
    const again = request.clone();
    const response = await send(request, token);
    if (response.status !== 401 || !(await tokens.renewRejected(token))) return response;
    return send(again, await tokens.getToken());
  };
}

/** The client for one session. Reads with `unwrap`: `await unwrap(api.GET("/v1/agents"))`. */
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

/** What a request was answered with. Throws an `ApiError` if it was refused. */
export async function unwrap<T>(request: Promise<ApiResult<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw ApiError.fromResponse(error, response.status, response.headers);
  return data as T;
}
