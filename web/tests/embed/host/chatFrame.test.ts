import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChatFrame, type GetToken } from "../../../embed/host/chatFrame";

const CHAT = "https://forge.example";
const frames: ChatFrame[] = [];

/** A frame with a fake window, and the messages it received. */
function framed(getToken: GetToken) {
  const events = { ready: vi.fn(), unavailable: vi.fn(), close: vi.fn(), resize: vi.fn() };
  const frame = new ChatFrame({ origin: CHAT, getToken, mode: "floating", theme: "dark" }, events);
  frames.push(frame);
  const contentWindow = { postMessage: vi.fn() };
  Object.defineProperty(frame.element, "contentWindow", { value: contentWindow });
  const say = (data: object, origin = CHAT, source: unknown = contentWindow) => {
    const event = new MessageEvent("message", { data: { ...data, omniforge: "omniforge-chat/1" }, origin });
    Object.defineProperty(event, "source", { value: source });
    window.dispatchEvent(event);
  };
  return { frame, events, say, told: contentWindow.postMessage };
}

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  for (const frame of frames.splice(0)) frame.remove();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("the token goes to the chat's origin and into no address", async () => {
  const { frame, say, told } = framed(() => Promise.resolve("secret"));
  say({ type: "hello" });
  say({ type: "token_wanted", id: 3, renew: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(told.mock.calls).toEqual([[expect.objectContaining({ id: 3, token: "secret" }), CHAT]]);
  expect(frame.element.src).not.toContain("secret");
});

test("whoever else asks gets nothing, and the site is not even asked", async () => {
  const getToken = vi.fn(() => "secret");
  const { say, told } = framed(getToken);
  say({ type: "hello" });
  say({ type: "token_wanted", id: 1, renew: false }, "https://evil.example");
  say({ type: "token_wanted", id: 1, renew: false }, CHAT, {});
  await vi.advanceTimersByTimeAsync(0);
  expect(getToken).not.toHaveBeenCalled();
  expect(told).not.toHaveBeenCalled();
});

test("the site is told when the token before is taken no longer", async () => {
  const getToken = vi.fn(() => "fresh");
  const { say } = framed(getToken);
  say({ type: "hello" });
  say({ type: "token_wanted", id: 2, renew: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(getToken).toHaveBeenCalledWith({ renew: true });
});

test("a site that fails to give a token has none", async () => {
  const complained = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { say, told } = framed(() => Promise.reject(new Error("offline")));
  say({ type: "hello" });
  say({ type: "token_wanted", id: 1, renew: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toHaveBeenCalledWith(expect.objectContaining({ token: null }), CHAT);
  expect(complained).toHaveBeenCalledOnce();
});

test("a frame that is loaded and never speaks was refused", () => {
  const { frame, events } = framed(() => null);
  frame.element.dispatchEvent(new Event("load"));
  vi.advanceTimersByTime(2_999);
  expect(events.unavailable).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(events.unavailable).toHaveBeenCalledOnce();
});

test("a frame that speaks in time was not", () => {
  const { frame, events, say } = framed(() => null);
  say({ type: "hello" });
  frame.element.dispatchEvent(new Event("load"));
  vi.advanceTimersByTime(10_000);
  expect(events.ready).toHaveBeenCalledOnce();
  expect(events.unavailable).not.toHaveBeenCalled();
});

test("nothing is told to a frame that has not spoken: another page may be in it", () => {
  const { frame, told } = framed(() => null);
  frame.send({ type: "shown" });
  expect(told).not.toHaveBeenCalled();
});

test("a chat that was taken out of the page listens no longer", () => {
  const { frame, events, say } = framed(() => null);
  frame.remove();
  say({ type: "close" });
  expect(events.close).not.toHaveBeenCalled();
});
