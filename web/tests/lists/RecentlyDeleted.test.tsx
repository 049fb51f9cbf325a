import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { usePagedQuery } from "@/lists/pagedQuery";
import { RecentlyDeleted } from "@/lists/RecentlyDeleted";

interface Item {
  id: string;
  name: string;
}

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});

afterEach(() => {
  root.unmount();
  place.remove();
});

function show(fetchItems: () => Promise<Item[]>, onRestore: (item: Item) => void = () => {}): void {
  const useDeleted = (enabled: boolean) =>
    usePagedQuery<Item>(["deleted"], async () => ({ items: await fetchItems() }), { enabled });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  root.render(
    <QueryClientProvider client={queries}>
      <RecentlyDeleted
        what="tasks"
        useDeleted={useDeleted}
        nameOf={({ name }) => name}
        onRestore={onRestore}
      />
    </QueryClientProvider>,
  );
}

async function open(): Promise<void> {
  const details = await vi.waitUntil(() => place.querySelector("details"));
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
}

test("nothing is fetched before it is opened", async () => {
  const fetchItems = vi.fn(async () => [{ id: "a", name: "call mom" }]);
  show(fetchItems);
  await vi.waitUntil(() => place.querySelector("details"));
  expect(fetchItems).not.toHaveBeenCalled();
  await open();
  await vi.waitUntil(() => place.querySelector("li"));
  expect(fetchItems).toHaveBeenCalledOnce();
});

test("each deleted item has a button that restores it", async () => {
  const restored: string[] = [];
  const items = [
    { id: "a", name: "call mom" },
    { id: "b", name: "pay rent" },
  ];
  show(
    async () => items,
    ({ id }) => restored.push(id),
  );
  await open();
  const button = await vi.waitUntil(() =>
    place.querySelector<HTMLButtonElement>("[aria-label='Restore: pay rent']"),
  );
  button.click();
  expect(restored).toEqual(["b"]);
});

test("an empty list says how long what is deleted is kept", async () => {
  show(async () => []);
  await open();
  await vi.waitUntil(() => place.textContent?.includes("Deleted tasks are kept here for 30 days."));
});
