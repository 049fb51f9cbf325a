import { expect, test } from "vitest";
import { createApi } from "@/api/client";
import { fetchExport, fileName } from "@/conversations/queries/exportConversation";

const tokens = { getToken: async () => "t", renewRejected: async () => null };

test("all pages of an export are one text", async () => {
  const asked: string[] = [];
  const fetcher = async (input: RequestInfo | URL) => {
    const { search } = new URL(input instanceof Request ? input.url : String(input));
    asked.push(search);
    return search.includes("cursor=second")
      ? new Response("two\n")
      : new Response("one\n", { headers: { "Next-Cursor": "second" } });
  };
  const api = createApi("http://service.test", tokens as never, fetcher as typeof fetch);
  expect(await fetchExport(api, "c1", "json")).toBe("one\ntwo\n");
  expect(asked).toEqual(["?format=json", "?format=json&cursor=second"]);
});

test("a refused export is an error", async () => {
  const fetcher = async () => new Response('{"code":"conversation_not_found"}', { status: 404 });
  const api = createApi("http://service.test", tokens as never, fetcher as typeof fetch);
  await expect(fetchExport(api, "c1", "markdown")).rejects.toMatchObject({ status: 404 });
});

test("files are named after conversations, in characters that every system takes", () => {
  expect(fileName('Q1/Q2: "numbers" für München?')).toBe("Q1-Q2-numbers-für-München");
  expect(fileName("..//..")).toBe("conversation");
  expect(fileName("a".repeat(200))).toHaveLength(60);
});
