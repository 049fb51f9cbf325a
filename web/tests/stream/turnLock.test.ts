import { afterEach, expect, test, vi } from "vitest";
import { withTurnLock } from "@/stream/turnLock";

afterEach(() => void vi.unstubAllGlobals());

const browser = (request: (name: string, how: object, work: (lock: unknown) => unknown) => unknown) =>
  vi.stubGlobal("navigator", { locks: { request } });

test("work is done by the tab that gets the lock", async () => {
  browser((_name, _how, work) => work({}));
  const work = vi.fn(async () => undefined);
  expect(await withTurnLock("key", work)).toBe(true);
  expect(work).toHaveBeenCalledOnce();
});

test("work that another tab is at is left to it", async () => {
  browser((_name, _how, work) => work(null));
  const work = vi.fn(async () => undefined);
  expect(await withTurnLock("key", work)).toBe(false);
  expect(work).not.toHaveBeenCalled();
});

test("work is done where the browser forbids locks, as to a frame that may keep nothing", async () => {
  browser(() => Promise.reject(new DOMException("denied", "SecurityError")));
  const work = vi.fn(async () => undefined);
  expect(await withTurnLock("key", work)).toBe(true);
  expect(work).toHaveBeenCalledOnce();
});

test("work that fails is not done twice", async () => {
  browser((_name, _how, work) => work({}));
  const work = vi.fn(() => Promise.reject(new Error("broken")));
  await expect(withTurnLock("key", work)).rejects.toThrow("broken");
  expect(work).toHaveBeenCalledOnce();
});
