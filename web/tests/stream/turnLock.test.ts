import { afterEach, expect, test, vi } from "vitest";
import { withTurnLock } from "@/stream/turnLock";

afterEach(() => void vi.unstubAllGlobals());

type Work = (lock: unknown) => unknown;
const browser = (request: (name: string, how: object | Work, work?: Work) => unknown) =>
  vi.stubGlobal("navigator", { locks: { request } });

test("work is done by the tab that gets the lock", async () => {
  browser((_name, _how, work) => work?.({}));
  const [work, onElsewhere] = [vi.fn(async () => undefined), vi.fn()];
  await withTurnLock("key", onElsewhere, work);
  expect([work.mock.calls.length, onElsewhere.mock.calls.length]).toEqual([1, 0]);
});

test("work that another tab is at is taken up when that tab lets go of it", async () => {
  let letGo = () => undefined;
  browser((_name, how, work) => {
    if (work) return work(null);
    return new Promise((resolve) => (letGo = () => void resolve((how as Work)({})) as undefined));
  });
  const [work, onElsewhere] = [vi.fn(async () => undefined), vi.fn()];
  const done = withTurnLock("key", onElsewhere, work);
  await vi.waitFor(() => expect(onElsewhere).toHaveBeenCalledOnce());
  expect(work).not.toHaveBeenCalled();
  letGo();
  await done;
  expect(work).toHaveBeenCalledOnce();
});

test("work is done where the browser forbids locks, as to a frame that may keep nothing", async () => {
  browser(() => Promise.reject(new DOMException("denied", "SecurityError")));
  const work = vi.fn(async () => undefined);
  await withTurnLock("key", vi.fn(), work);
  expect(work).toHaveBeenCalledOnce();
});

test("work that fails is not done twice", async () => {
  browser((_name, _how, work) => work?.({}));
  const work = vi.fn(() => Promise.reject(new Error("broken")));
  await expect(withTurnLock("key", vi.fn(), work)).rejects.toThrow("broken");
  expect(work).toHaveBeenCalledOnce();
});
