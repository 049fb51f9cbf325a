import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { mount } from "../../embed/host/mount";

/** The code of a language in a page of docs, each block by itself. */
function snippets(page: string, language: string): string[] {
  const text = readFileSync(`../docs/${page}`, "utf-8");
  const found = text.matchAll(new RegExp(`^ *\`\`\`${language}\n(.*?)\`\`\``, "gms"));
  return [...found].map(([, code]) => code ?? "");
}

/** Runs a snippet where the given names are known, and returns the values of `results` at its end. */
function run<Result>(code: string, known: object, results: string): Result {
  return new Function(...Object.keys(known), `${code}\nreturn {${results}};`)(
    ...Object.values(known),
  ) as Result;
}

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("the documented script mounts a chat in an element and one in the corner, and removes one", () => {
  document.body.innerHTML = '<div id="help"></div>';
  const OmniForge = {
    mount: vi.fn((options: Parameters<typeof mount>[1]) => mount("https://forge.example", options)),
  };
  const [code = ""] = snippets("embedding.md", "js");
  run<object>(code, { OmniForge, getToken: () => null }, "chat, help");
  expect(OmniForge.mount).toHaveBeenCalledTimes(2);
  expect(document.querySelector("#help")?.childElementCount).toBe(1);
  expect(document.body.childElementCount).toBe(1);
});

test("the documented tag mounts the chat, with a token of the site's own server", async () => {
  const [html = ""] = snippets("embedding.md", "html");
  const page = new DOMParser().parseFromString(html, "text/html");
  const [tag, own] = page.querySelectorAll("script");
  type Site = { chatToken: (request: { renew: boolean }) => Promise<string | null> };
  const { chatToken } = run<Site>(own?.textContent ?? "", {}, "chatToken");
  Object.defineProperty(document, "currentScript", { value: tag, configurable: true });
  await import("../../embed/host/loader");
  expect(tag?.dataset.omniforgeToken).toBe("chatToken");
  expect(document.body.childElementCount).toBe(1);

  const answers = vi.fn(async (_path: string, _init: object) => new Response('{"token": "t"}'));
  vi.stubGlobal("fetch", answers);
  expect(await chatToken({ renew: true })).toBe("t");
  expect(answers.mock.calls).toEqual([["/session/omniforge-token", { method: "POST" }]]);
});

test("the documented action of Auth0 sets the claims that the guide's parameters name", async () => {
  const [code = ""] = snippets("identity.md", "js");
  const claims = new Map<string, unknown>();
  type Action = { exports: { onExecutePostLogin: (event: object, api: object) => Promise<void> } };
  const { exports } = run<Action>(code, { exports: {} }, "exports");
  const event = { user: { app_metadata: { tenant: "acme" } }, authorization: { roles: ["admin"] } };
  const api = { accessToken: { setCustomClaim: (name: string, value: unknown) => claims.set(name, value) } };
  await exports.onExecutePostLogin(event, api);
  expect(Object.fromEntries(claims)).toEqual({
    "https://omniforge.example/tenant": "acme",
    "https://omniforge.example/roles": ["admin"],
  });
});
