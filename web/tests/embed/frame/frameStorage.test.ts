import { expect, test } from "vitest";
import { frameStorage } from "../../../embed/frame/frameStorage";

test("the tab's own storage is used where the browser allows it", () => {
  expect(frameStorage()).toBe(window.sessionStorage);
});

test("where the browser forbids storage to frames, things are kept as long as the page lives", () => {
  const store = frameStorage(() => {
    throw new DOMException("denied", "SecurityError");
  });
  store.setItem("a", "1");
  store.setItem("b", "2");
  expect([store.length, store.key(0), store.key(5), store.getItem("b")]).toEqual([2, "a", null, "2"]);
  store.removeItem("a");
  expect(store.getItem("a")).toBeNull();
  store.clear();
  expect(store.length).toBe(0);
});
