import { expect, test } from "vitest";
import { clearAllUsers, clearOtherUsers, userStorage } from "@/cache/userStorage";

test("a user reads what they kept and nothing of another's", () => {
  userStorage("maya").set("note", { text: "mine" });
  expect(userStorage("maya").get("note")).toEqual({ text: "mine" });
  expect(userStorage("zoe").get("note")).toBeNull();
  expect(userStorage("zoe").keys()).toEqual([]);
});

test("a user whose key begins like another's has a corner of their own", () => {
  userStorage("iss|acme|ma").set("note", 1);
  userStorage("iss|acme|ma:x").set("note", 2);
  userStorage("iss|acme|maya").set("note", 3);
  expect(userStorage("iss|acme|ma").keys()).toEqual(["note"]);
  clearOtherUsers("iss|acme|ma");
  expect(userStorage("iss|acme|ma").get("note")).toBe(1);
  expect(userStorage("iss|acme|maya").get("note")).toBeNull();
  expect(userStorage("iss|acme|ma:x").get("note")).toBeNull();
});

test("signing out leaves nothing behind, and what belongs to nobody stays", () => {
  window.localStorage.setItem("omniforge:theme", "dark");
  userStorage("maya").set("thread:1", ["secret"]);
  userStorage("zoe").set("thread:2", ["secret"]);
  clearAllUsers();
  expect(Object.keys(window.localStorage)).toEqual(["omniforge:theme"]);
});

test("an answer that comes after signing out leaves no trace", () => {
  const storage = userStorage("maya");
  clearAllUsers();
  expect(storage.set("thread:1", ["late"])).toBe(false);
  expect(window.localStorage.length).toBe(0);
});

test("whoever signs in again has a corner that takes things", () => {
  userStorage("maya");
  clearAllUsers();
  expect(userStorage("maya").set("note", 1)).toBe(true);
});

test("a tab that still shows the user before keeps nothing when another has signed in", () => {
  const [before, now] = [userStorage("maya"), userStorage("zoe")];
  clearOtherUsers("zoe");
  expect(before.set("note", 1)).toBe(false);
  expect(now.set("note", 1)).toBe(true);
});

test("what is not JSON counts as not kept", () => {
  userStorage("maya").set("note", 1);
  const [key = ""] = Object.keys(window.localStorage);
  window.localStorage.setItem(key, "{oops");
  expect(userStorage("maya").get("note")).toBeNull();
});

test("a browser that forbids storage keeps nothing and breaks nothing", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const forbidden = {
    get length() {
      return refuse();
    },
    key: refuse,
    getItem: refuse,
    setItem: refuse,
    removeItem: refuse,
    clear: refuse,
  } as unknown as Storage;
  const storage = userStorage("maya", forbidden);
  expect(storage.set("note", 1)).toBe(false);
  expect(storage.get("note")).toBeNull();
  expect(storage.keys()).toEqual([]);
  storage.remove("note");
  clearAllUsers(forbidden);
});
