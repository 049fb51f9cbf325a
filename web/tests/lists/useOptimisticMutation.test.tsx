import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiError } from "@/api/apiError";
import { removeItem, updateItems, usePagedQuery } from "@/lists/pagedQuery";
import { useOptimisticMutation } from "@/lists/useOptimisticMutation";
import { clearToasts, Toasts } from "@/ui/Toasts";

interface Item {
  id: string;
  name: string;
}

const KEY = ["items"];
const item = (id: string, name = id): Item => ({ id, name });
let root: Root;
let queries: QueryClient;
let place: HTMLElement;

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});

afterEach(() => {
  root.unmount();
  place.remove();
  clearToasts();
});

/** A list whose items are removed by a click. The test decides when the service answers. */
function List({ stored, answer }: { stored: () => Item[]; answer: (id: string) => Promise<unknown> }) {
  const list = usePagedQuery<Item>([...KEY, "open"], async () => ({ items: stored() }));
  const remove = useOptimisticMutation<string, unknown>({
    queryKey: KEY,
    apply: (id) => updateItems<Item>(queries, KEY, removeItem(id)),
    send: answer,
    errorText: "It could not be removed",
  });
  return (
    <>
      {list.items?.map(({ id, name }) => (
        <button key={id} type="button" id={id} onClick={() => remove.mutate(id)}>
          {name}
        </button>
      ))}
      <Toasts />
    </>
  );
}

function show(stored: () => Item[], answer: (id: string) => Promise<unknown>): void {
  root.render(
    <QueryClientProvider client={queries}>
      <List stored={stored} answer={answer} />
    </QueryClientProvider>,
  );
}

const listed = () => [...place.querySelectorAll("button[id]")].map(({ id }) => id).join("");
const click = (id: string) => place.querySelector<HTMLElement>(`#${id}`)?.click();

test("a change is seen before the service has answered", async () => {
  show(
    () => [item("a"), item("b")],
    () => new Promise(() => undefined),
  );
  await expect.poll(listed).toBe("ab");
  click("a");
  await expect.poll(listed).toBe("b");
});

test("a refused change is taken back though nothing can be read again, and the reason is told", async () => {
  const refused = new ApiError("internal", 500, "Internal", "The storage is away.");
  let isAway = false;
  const stored = () => {
    if (isAway) throw refused;
    return [item("a"), item("b")];
  };
  show(stored, () => Promise.reject(refused));
  await expect.poll(listed).toBe("ab");
  isAway = true;
  click("a");
  await expect.poll(() => place.textContent).toContain("It could not be removed: The storage is away.");
  expect(listed()).toBe("ab");
});

test("what was refused can be tried again from its notice", async () => {
  const answers = [() => Promise.reject(ApiError.unreachable()), () => Promise.resolve()];
  let stored = [item("a"), item("b")];
  show(
    () => stored,
    async (id) => {
      await answers.shift()?.();
      stored = stored.filter((each) => each.id !== id);
    },
  );
  await expect.poll(listed).toBe("ab");
  click("a");
  const again = () =>
    [...place.querySelectorAll("button")].find(({ textContent }) => textContent === "Try again");
  await expect.poll(again).toBeDefined();
  expect(listed()).toBe("ab");
  again()?.click();
  await expect.poll(listed).toBe("b");
  await expect.poll(() => queries.isMutating()).toBe(0);
});

test("while one change is under way, the end of another does not bring its item back", async () => {
  let stored = [item("a"), item("b"), item("c")];
  const answers = new Map<string, () => void>();
  const answer = (id: string) =>
    new Promise<void>((resolve) =>
      answers.set(id, () => {
        stored = stored.filter((each) => each.id !== id);
        resolve();
      }),
    );
  show(() => stored, answer);
  await expect.poll(listed).toBe("abc");
  click("a");
  await expect.poll(listed).toBe("bc");
  click("b");
  await expect.poll(listed).toBe("c");
  answers.get("a")?.();
  await expect.poll(() => queries.isMutating()).toBe(1);
  expect([listed(), queries.isFetching()]).toEqual(["c", 0]);
  answers.get("b")?.();
  await expect.poll(() => queries.isMutating()).toBe(0);
  expect(listed()).toBe("c");
});
