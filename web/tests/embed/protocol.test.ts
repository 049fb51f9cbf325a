import { expect, test, vi } from "vitest";
import {
  encodeFragment,
  isAllowedOrigin,
  type Peer,
  parseFragment,
  parseOrigin,
  postToPeer,
  readFrameMessage,
  readHostMessage,
} from "../../embed/protocol";

const SITE = "https://intranet.example";
const CHAT = "https://forge.example";

const peer = (origin: string): Peer => ({ window: { postMessage: vi.fn() }, origin });

/** The data that a window receives of a message. */
function told(message: Parameters<typeof postToPeer>[1]): unknown {
  const receiver = peer(SITE);
  postToPeer(receiver, message);
  return vi.mocked(receiver.window.postMessage).mock.calls[0]?.[0];
}

test("every message names the one origin that may read it", () => {
  const site = peer(SITE);
  postToPeer(site, { type: "hello" });
  expect(site.window.postMessage).toHaveBeenCalledWith(expect.objectContaining({ type: "hello" }), SITE);
});

test("a token is taken from the site that frames the chat", () => {
  const site = peer(SITE);
  const data = told({ type: "token", id: 1, token: "abc" });
  expect(readHostMessage({ data, origin: SITE, source: site.window }, site)).toMatchObject({
    id: 1,
    token: "abc",
  });
});

test.each([
  ["another origin in the same window", { origin: "https://evil.example" }],
  ["a neighbouring port", { origin: `${SITE}:8443` }],
  ["the same name without TLS", { origin: "http://intranet.example" }],
  ["a longer name", { origin: `${SITE}.evil.example` }],
  ["an opaque origin", { origin: "null" }],
  ["another window of the same origin", { source: {} }],
  ["no window", { source: null }],
])("nothing is taken from %s", (_, from) => {
  const site = peer(SITE);
  const data = told({ type: "token", id: 1, token: "abc" });
  expect(readHostMessage({ data, origin: SITE, source: site.window, ...from }, site)).toBeNull();
  const asked = told({ type: "token_wanted", id: 1, renew: false });
  expect(readFrameMessage({ data: asked, origin: SITE, source: site.window, ...from }, site)).toBeNull();
});

test.each([
  null,
  undefined,
  "token",
  7,
  [],
  {},
  { type: "token", id: 1, token: "abc" },
  { omniforge: "omniforge-chat/1" },
])("what another script says (%j) is not ours", (data) => {
  const site = peer(SITE);
  expect(readHostMessage({ data, origin: SITE, source: site.window }, site)).toBeNull();
  expect(readFrameMessage({ data, origin: SITE, source: site.window }, site)).toBeNull();
});

test("neither side says what is the other's to say", () => {
  const frame = peer(CHAT);
  const from = { origin: CHAT, source: frame.window };
  expect(readFrameMessage({ ...from, data: told({ type: "token", id: 1, token: "abc" }) }, frame)).toBeNull();
  expect(
    readHostMessage({ ...from, data: told({ type: "token_wanted", id: 1, renew: true }) }, frame),
  ).toBeNull();
});

test.each([undefined, null, "", 7, {}])("a token that is %j means that nobody is signed in", (token) => {
  const site = peer(SITE);
  const data = { ...(told({ type: "token", id: 1, token: null }) as object), token };
  expect(readHostMessage({ data, origin: SITE, source: site.window }, site)).toMatchObject({ token: null });
});

test("a site may embed the chat when exactly it is listed", () => {
  expect(isAllowedOrigin(SITE, [SITE], CHAT)).toBe(true);
  expect(isAllowedOrigin(SITE, [`${SITE}/`], CHAT)).toBe(true);
  expect(isAllowedOrigin(CHAT, [], CHAT)).toBe(true);
});

test.each([
  [SITE, []],
  [SITE, ["*"]],
  [SITE, ["https://*.example"]],
  [SITE, ["http://intranet.example"]],
  [SITE, [`${SITE}:8443`]],
  [`${SITE}.evil.example`, [SITE]],
  ["https://sub.intranet.example", [SITE]],
  ["null", ["null"]],
])("%s may not embed the chat when the list is %j", (site, listed) => {
  expect(isAllowedOrigin(site, listed, CHAT)).toBe(false);
});

test.each([
  "file:///home/me/page.html",
  "about:blank",
  "data:text/html,x",
  "javascript:alert(1)",
  "intranet",
  "",
  "null",
])("%j is no origin to speak to", (address) => {
  expect(parseOrigin(address)).toBeNull();
});

test("the frame's address says how it looks, and nothing odd survives", () => {
  const said = { host: SITE, mode: "floating", theme: "dark" } as const;
  expect(parseFragment(encodeFragment(said))).toEqual(said);
  expect(parseFragment("#host=javascript:alert(1)&mode=x&theme=y")).toEqual({
    host: null,
    mode: "inline",
    theme: "system",
  });
});
