import { expect, test, vi } from "vitest";
import { authorizedFetch } from "@/api/client";

/** A service that accepts one token, and the requests it received. */
function service(taken: string) {
  const sent: string[] = [];
  const fetcher = async (input: RequestInfo | URL) => {
    const request = input as Request;
    const token = request.headers.get("Authorization") ?? "none";
    sent.push(`${token} ${await request.text()}`);
    return new Response(null, { status: token === `Bearer ${taken}` ? 200 : 401 });
  };
  return { sent, fetcher };
}

const post = { method: "POST", body: "hello" };
const URL = "https://forge.example/v1/chat";

test("a request whose token is refused goes out once more, whole, with a fresh one", async () => {
  const { sent, fetcher } = service("new");
  let token = "old";
  const renewRejected = vi.fn(async () => {
    token = "new";
    return true;
  });
  const response = await authorizedFetch({ getToken: async () => token, renewRejected }, fetcher)(URL, post);
  expect([response.status, sent]).toEqual([200, ["Bearer old hello", "Bearer new hello"]]);
  expect(renewRejected).toHaveBeenCalledExactlyOnceWith("old");
});

test("a request is not repeated when there is no fresh token", async () => {
  const { sent, fetcher } = service("new");
  const tokens = { getToken: async () => "old", renewRejected: async () => false };
  expect((await authorizedFetch(tokens, fetcher)(URL, post)).status).toBe(401);
  expect(sent).toHaveLength(1);
});

test("a fresh token that is refused, too, is not tried again", async () => {
  const { sent, fetcher } = service("other");
  const renewRejected = vi.fn(async () => true);
  expect(
    (await authorizedFetch({ getToken: async () => "new", renewRejected }, fetcher)(URL, post)).status,
  ).toBe(401);
  expect([sent.length, renewRejected.mock.calls.length]).toEqual([2, 1]);
});

test("a refusal that has nothing to do with the token is handed on", async () => {
  const renewRejected = vi.fn(async () => true);
  const fetcher = async () => new Response(null, { status: 403 });
  expect((await authorizedFetch({ getToken: async () => "token", renewRejected }, fetcher)(URL)).status).toBe(
    403,
  );
  expect(renewRejected).not.toHaveBeenCalled();
});
