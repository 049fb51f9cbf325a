import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { flattenPages, prependItem, removeItem, replaceItem, updateItems } from "@/lists/pagedQuery";

interface Item {
  id: string;
  name: string;
}

const KEY = ["items"];
const item = (id: string, name = id): Item => ({ id, name });

const pagesOf = (...pages: Item[][]) => ({
  pages: pages.map((items) => ({ items })),
  pageParams: pages.map(() => null),
});

test("what moved to a later page between two reads is listed once, as it was read last", () => {
  expect(flattenPages(pagesOf([item("a"), item("b", "old")], [item("b", "new"), item("c")]))).toEqual([
    item("a"),
    item("b", "new"),
    item("c"),
  ]);
});

test("lists are changed on every page, and what was not read stays unread", () => {
  const queries = new QueryClient();
  queries.setQueryData([...KEY, "open"], pagesOf([item("a")], [item("b")]));
  updateItems<Item>(queries, KEY, removeItem("a"));
  updateItems<Item>(
    queries,
    KEY,
    replaceItem("b", (it) => ({ ...it, name: "B" })),
  );
  prependItem(queries, KEY, item("z"));
  prependItem(queries, ["other"], item("z"));
  expect(queries.getQueryData([...KEY, "open"])).toEqual(pagesOf([item("z")], [item("b", "B")]));
  expect(queries.getQueryData(["other"])).toBeUndefined();
});
