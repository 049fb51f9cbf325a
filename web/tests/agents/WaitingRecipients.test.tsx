import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Agent } from "@/agents/queries";
import { WaitingRecipients } from "@/agents/WaitingRecipients";

const api = vi.hoisted(() => ({ GET: vi.fn(), POST: vi.fn() }));
vi.mock("@/session/SessionContext", () => ({ useApi: () => api }));

const ZOE = "zoe@partner.com";
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
  vi.resetAllMocks();
});

const answer = (data: object, status = 200) => ({ data, response: new Response(null, { status }) });

function show(...recipients: string[]): void {
  const agent = { delivery: { channels: ["email"], recipients } } as unknown as Agent;
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  root.render(
    <QueryClientProvider client={queries}>
      <WaitingRecipients agent={agent} />
    </QueryClientProvider>,
  );
}

function type(code: string): void {
  const field = place.querySelector("input") as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, code);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  place.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
}

test("a recipient of this agent that waits has a field, and is gone once its code is taken", async () => {
  const other = { address: "noah@partner.com", status: "pending" };
  api.GET.mockResolvedValueOnce(answer({ items: [{ address: ZOE, status: "pending" }, other] }));
  api.GET.mockResolvedValueOnce(answer({ items: [{ address: ZOE, status: "verified" }, other] }));
  api.POST.mockResolvedValue(answer({ address: ZOE, status: "verified" }));
  show(ZOE);
  await vi.waitUntil(() => place.querySelector("form"));
  expect(place.querySelectorAll("form")).toHaveLength(1);
  type("4061 7238 ");
  await vi.waitUntil(() => !place.querySelector("form"));
  expect(api.POST).toHaveBeenCalledWith("/v1/mail-recipients/verify", {
    body: { address: ZOE, code: "4061 7238" },
  });
});

test("a wrong code is said beside the field, which stays", async () => {
  api.GET.mockResolvedValue(answer({ items: [{ address: ZOE, status: "pending" }] }));
  const error = { code: "code_not_valid", detail: "The code is wrong or has expired.", status: 409 };
  api.POST.mockResolvedValue({ error, response: new Response(null, { status: 409 }) });
  show(ZOE);
  await vi.waitUntil(() => place.querySelector("form"));
  type("00000000");
  const alert = await vi.waitUntil(() => place.querySelector('[role="alert"]'));
  expect(alert?.textContent).toBe("The code is wrong or has expired.");
  expect(place.querySelector("form")).not.toBeNull();
});

test("nothing is asked for an agent that mails nobody else", async () => {
  show("https://hooks.example/x");
  await new Promise(requestAnimationFrame);
  expect(api.GET).not.toHaveBeenCalled();
});
