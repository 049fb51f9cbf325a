import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hostSignIn } from "../../../embed/frame/hostSignIn";
import type { Peer } from "../../../embed/protocol";

const SITE = "https://intranet.example";

/** A site that answers token requests with these tokens in order, and then not at all. */
function site(...tokens: (string | null)[]) {
  const asked: { renew: boolean }[] = [];
  const listeners: Peer["window"] & { say(data: object, origin?: string): void } = {
    postMessage(message) {
      const { id, renew } = message as { id: number; renew: boolean };
      asked.push({ renew });
      if (tokens.length > 0) this.say({ type: "token", id, token: tokens.shift() });
    },
    say(data, origin = SITE) {
      const event = new MessageEvent("message", { data: { ...data, omniforge: "omniforge-chat/1" }, origin });
      Object.defineProperty(event, "source", { value: listeners });
      window.dispatchEvent(event);
    },
  };
  return { peer: { window: listeners, origin: SITE }, say: listeners.say.bind(listeners), asked };
}

const ignored = () => undefined;
const token = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the site's token signs its user in", async () => {
  const { peer, asked } = site(token({ sub: "maya", name: "Maya" }));
  expect(await hostSignIn(peer, ignored).restore()).toMatchObject({ profile: { sub: "maya", name: "Maya" } });
  expect(asked).toEqual([{ renew: false }]);
});

test("nobody is signed in when the site has no token", async () => {
  expect(await hostSignIn(site(null).peer, ignored).restore()).toBeNull();
});

test("nobody is signed in when the site does not answer", async () => {
  const given = hostSignIn(site().peer, ignored).restore();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await given).toBeNull();
});

test("an answer of another origin is not waited for, and not taken", async () => {
  const { peer, say } = site();
  const given = hostSignIn(peer, ignored).restore();
  say({ type: "token", id: 1, token: "stolen" }, "https://evil.example");
  say({ type: "token", id: 1, token: "real" });
  expect(await given).toMatchObject({ token: "real" });
});

test("an answer to another question is not taken", async () => {
  const { peer, say } = site();
  const given = hostSignIn(peer, ignored).restore();
  say({ type: "token", id: 99, token: "late" });
  say({ type: "token", id: 1, token: "real" });
  expect(await given).toMatchObject({ token: "real" });
});

test("a refused token is renewed by asking the site again", async () => {
  const { peer, asked } = site("one", "two");
  const signIn = hostSignIn(peer, ignored);
  await signIn.restore();
  expect(await signIn.renew()).toMatchObject({ token: "two" });
  expect(asked).toEqual([{ renew: false }, { renew: true }]);
});

test("a site that gives the refused token again has not renewed it", async () => {
  const signIn = hostSignIn(site("one", "one").peer, ignored);
  await signIn.restore();
  expect(await signIn.renew()).toBeNull();
});

test("fresh tokens that are refused, too, are not asked for on and on", async () => {
  const { peer, asked } = site("one", "two", "three", "four");
  const signIn = hostSignIn(peer, ignored);
  await signIn.restore();
  expect(await signIn.renew()).not.toBeNull();
  expect(await signIn.renew()).toBeNull();
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await signIn.renew()).toMatchObject({ token: "three" });
});

test("the user may ask at any time, and what comes of it signs them in", async () => {
  const take = vi.fn();
  const signIn = hostSignIn(site(null, null, "two").peer, take);
  expect(await signIn.restore()).toBeNull();
  await signIn.signIn("/");
  expect(take).not.toHaveBeenCalled();
  await signIn.signIn("/");
  expect(take).toHaveBeenCalledOnce();
  expect(await signIn.restore()).toMatchObject({ token: "two" });
});

test("a token that is about to end is worth renewing first", async () => {
  const at = (seconds: number) => token({ exp: Date.now() / 1000 + seconds });
  const soon = hostSignIn(site(at(20)).peer, ignored);
  const later = hostSignIn(site(at(600)).peer, ignored);
  const opaque = hostSignIn(site("opaque").peer, ignored);
  for (const signIn of [soon, later, opaque]) await signIn.restore();
  expect([soon, later, opaque].map((signIn) => signIn.isExpiring())).toEqual([true, false, false]);
});

test("signing out of the site ends the session; nobody else can end it", async () => {
  const { peer, say } = site("one");
  const signIn = hostSignIn(peer, ignored);
  const ended = vi.fn();
  signIn.onSignedOutElsewhere(ended);
  say({ type: "signed_out" }, "https://evil.example");
  expect(ended).not.toHaveBeenCalled();
  say({ type: "signed_out" });
  expect(ended).toHaveBeenCalledOnce();
});
