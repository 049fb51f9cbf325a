import { expect, test } from "vitest";
import { authorizedFetch } from "@/api/client";
import { userStorage } from "@/cache/userStorage";
import { jwtClaims } from "@/session/identity";
import { sanitizeReturnPath } from "@/session/oidcSignIn";
import { type Credentials, Session, type SignInMethod } from "@/session/session";

function token(user: string, tenant = "acme", serial = 0): string {
  const claims = btoa(JSON.stringify({ iss: "issuer", sub: user, tenant, serial }));
  return `head.${claims}.signature`;
}

class Provider implements SignInMethod {
  fresh: Credentials | null = null;
  renewals = 0;
  near = false;
  ended: () => void = () => undefined;

  constructor(public kept: Credentials | null) {}

  restore = async () => this.kept;
  signIn = async () => undefined;
  isExpiring = () => this.near;
  signOut = async () => undefined;
  renew = async () => {
    this.renewals++;
    return this.fresh;
  };
  onSignedOutElsewhere(listener: () => void) {
    this.ended = listener;
    return () => undefined;
  }
}

async function signedIn(provider = new Provider({ token: token("maya"), profile: {} })) {
  const session = new Session(provider);
  await session.start();
  return { session, provider };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test("who was signed in on the last visit still is", async () => {
  const { session } = await signedIn();
  expect(session.state).toMatchObject({ status: "signed_in", expired: false, identity: { user: "maya" } });
});

test("signing out leaves nothing of anybody in this browser", async () => {
  const { session } = await signedIn();
  userStorage("issuer|acme|maya").set("draft:new", "secret");
  let cleaned = false;
  session.onSignOut(() => {
    cleaned = true;
  });
  await session.signOut();
  expect([session.state.status, cleaned, window.localStorage.length, await session.getToken()]).toEqual([
    "signed_out",
    true,
    0,
    null,
  ]);
});

test("another user who signs in finds nothing of the one before", async () => {
  userStorage("issuer|acme|maya").set("thread:1", ["hers"]);
  userStorage("issuer|acme|noor").set("thread:2", ["his"]);
  await signedIn(new Provider({ token: token("noor"), profile: {} }));
  expect(userStorage("issuer|acme|maya").keys()).toEqual([]);
  expect(userStorage("issuer|acme|noor").keys()).toEqual(["thread:2"]);
});

test("the same name in another tenant is another user", async () => {
  userStorage("issuer|acme|maya").set("thread:1", ["hers"]);
  await signedIn(new Provider({ token: token("maya", "globex"), profile: {} }));
  expect(userStorage("issuer|acme|maya").keys()).toEqual([]);
});

test("a refused token is renewed, and nobody is asked", async () => {
  const { session, provider } = await signedIn();
  provider.fresh = { token: token("maya", "acme", 1), profile: {} };
  session.renewRejected(await session.getToken());
  await settled();
  expect([session.state, await session.getToken()]).toMatchObject([{ expired: false }, provider.fresh.token]);
});

test("a refused token that can't be renewed ends the session but keeps what is on the page", async () => {
  const { session } = await signedIn();
  userStorage("issuer|acme|maya").set("draft:new", "kept");
  session.renewRejected(await session.getToken());
  await settled();
  expect(session.state).toMatchObject({ status: "signed_in", expired: true });
  expect(userStorage("issuer|acme|maya").get("draft:new")).toBe("kept");
});

test("a refusal of the token before says nothing about the new one", async () => {
  const { session } = await signedIn();
  session.renewRejected(token("maya", "acme", 7));
  await settled();
  expect(session.state).toMatchObject({ expired: false });
});

test("only a token of the same user makes it worth asking again", async () => {
  const { session, provider } = await signedIn();
  const first = await session.getToken();
  provider.fresh = { token: token("maya", "acme", 1), profile: {} };
  expect([await session.renewRejected(first), await session.renewRejected(first)]).toEqual([true, true]);
  provider.fresh = { token: token("noor"), profile: {} };
  const second = await session.getToken();
  expect(await session.renewRejected(second)).toBe(false);
  expect([await session.renewRejected(second), await session.renewRejected(first)]).toEqual([false, false]);
});

test("what was kept in memory for one user is emptied when a token of another comes", async () => {
  const { session, provider } = await signedIn();
  let cleaned = 0;
  session.onSignOut(() => {
    cleaned++;
  });
  provider.fresh = { token: token("maya", "acme", 1), profile: {} };
  await session.renewRejected(await session.getToken());
  expect(cleaned).toBe(0);
  provider.fresh = { token: token("noor"), profile: {} };
  await session.renewRejected(await session.getToken());
  expect([cleaned, session.state]).toMatchObject([1, { identity: { user: "noor" } }]);
});

test("a session may keep its users' things in a storage of its own", async () => {
  userStorage("issuer|acme|noor").set("thread:1", ["the page's"]);
  const own = window.sessionStorage;
  userStorage("issuer|acme|noor", own).set("thread:2", ["the frame's"]);
  const provider = new Provider({ token: token("maya"), profile: {} });
  const session = new Session(provider, { store: own });
  await session.start();
  expect(userStorage("issuer|acme|noor", own).keys()).toEqual([]);
  await session.signOut();
  expect(userStorage("issuer|acme|noor").keys()).toEqual(["thread:1"]);
});

test("a token that is about to end is renewed once, however many requests wait for it", async () => {
  const { session, provider } = await signedIn();
  provider.near = true;
  provider.fresh = { token: token("maya", "acme", 1), profile: {} };
  const tokens = await Promise.all([session.getToken(), session.getToken(), session.getToken()]);
  expect([new Set(tokens), provider.renewals]).toEqual([new Set([provider.fresh.token]), 1]);
});

test("signing out in one tab signs out the others", async () => {
  const { session, provider } = await signedIn();
  provider.ended();
  expect(session.state.status).toBe("signed_out");
});

test("every request carries the token, and a refusal reaches the session", async () => {
  const { session } = await signedIn();
  const sent: (string | null)[] = [];
  const answer = async (input: RequestInfo | URL) => {
    sent.push((input as Request).headers.get("Authorization"));
    return new Response("{}", { status: 401 });
  };
  await authorizedFetch(session, answer as typeof fetch)("http://127.0.0.1/v1/agents");
  await settled();
  expect([sent, session.state]).toMatchObject([[`Bearer ${token("maya")}`], { expired: true }]);
});

test.each([
  ["/c/1?panel=agents", "/c/1?panel=agents"],
  ["https://evil.example/", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  [undefined, "/"],
])("after signing in, %j leads to %j", (kept, path) => {
  expect(sanitizeReturnPath(kept)).toBe(path);
});

test.each(["", "opaque", "a.b.c", `x.${btoa("[1]")}.y`, `x.${btoa("{")}.y`])(
  "the token %j has no claims, and is no error",
  (odd) => {
    expect(jwtClaims(odd)).toEqual({});
  },
);
