// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newTurn, type Turn } from "@/stream/turn";
import { createTurnApi } from "@/stream/turnApi";
import { TurnRunner } from "@/stream/turnRunner";
import { ANSWER, type FakeChatService, STREAM, serve } from "./fakeChatService";

let service: FakeChatService;
beforeEach(async () => {
  service = await serve();
});
afterEach(() => service.close());

interface Ran {
  turn: Turn;
  /** Every text that was shown. */
  shown: string[];
  refused: (string | null)[];
  waited: number[];
}

function runner(onShown: (turn: Turn) => void = () => undefined) {
  const refused: (string | null)[] = [];
  const waited: number[] = [];
  const tokens = {
    getToken: async () => "token",
    renewRejected: async (token: string | null) => {
      refused.push(token);
      return false;
    },
  };
  const api = {
    ...createTurnApi(service.origin, tokens),
    sleep: async (ms: number) => void waited.push(ms),
  };
  const start = newTurn("key", { kind: "send", text: "hi", conversationId: null }, "");
  const shown: string[] = [];
  const running = new TurnRunner(api, start, (turn) => {
    shown.push(turn.text);
    onShown(turn);
  });
  return { running, shown, refused, waited, api };
}

async function run(): Promise<Ran> {
  const { running, ...rest } = runner();
  return { turn: await running.run(), ...rest };
}

function expectWhole({ turn, shown }: Ran, where: string): void {
  expect(turn.phase, where).toBe("answered");
  expect(turn.text, where).toBe(ANSWER);
  const saidAnew = shown.slice(shown.lastIndexOf("This is") + 1);
  for (const text of saidAnew)
    expect(ANSWER.startsWith(text), `${where}: ${JSON.stringify(text)}`).toBe(true);
  expect(service.answers, where).toBe(1);
}

test("a whole stream is shown as it comes and asks for nothing else", async () => {
  const ran = await run();
  expectWhole(ran, "whole");
  expect(ran.shown.filter((text) => text && text !== ANSWER).length).toBeGreaterThan(5);
  expect(service.polledAfter).toEqual([]);
});

test("a stream cut at any byte ends with the whole answer, made once", async () => {
  for (let cut = 0; cut < STREAM.length; cut++) {
    service.reset();
    service.cutAfter = cut;
    expectWhole(await run(), `cut after ${cut} bytes`);
    expect(new Set(service.keys), `cut after ${cut} bytes`).toEqual(new Set(["key"]));
  }
}, 300_000);

test("a cut stream goes on after the last event that was heard", async () => {
  service.cutAfter = STREAM.length - 400;
  service.polls = 3;
  const ran = await run();
  expectWhole(ran, "resumed");
  expect(service.polledAfter[0]).toBeGreaterThan(5);
  expect(service.keys).toEqual(["key"]);
});

test.each([
  ["is no JSON", (frame: string) => frame.replace("data: {", "data: {{")],
  ["has another shape", (frame: string) => frame.replace('"text"', '"words"')],
  ["has an unknown name", (frame: string) => frame.replace("event: chunk", "event: ???")],
  ["has no id", (frame: string) => frame.replace(/^id: \d+\n/, "")],
])("a piece that %s costs its text only until the answer is there", async (_, spoil) => {
  const frames = new TextDecoder().decode(STREAM).split("\n\n");
  const middle = frames.findLastIndex((frame) => frame.includes("event: chunk")) - 2;
  service.stream = new TextEncoder().encode(frames.with(middle, spoil(frames[middle] ?? "")).join("\n\n"));
  const ran = await run();
  expectWhole(ran, "malformed");
  const shown = ran.shown.filter((text) => text !== ANSWER);
  expect(Math.max(...shown.map((text) => text.length))).toBeLessThan(ANSWER.length - 20);
});

test("a stream that stops without its last frame is asked after", async () => {
  const text = new TextDecoder().decode(STREAM);
  service.stream = new TextEncoder().encode(text.slice(0, text.indexOf("event: done")));
  expectWhole(await run(), "no end");
  expect(service.polledAfter.length).toBeGreaterThan(0);
});

test("what nobody confirmed is sent again under the same key", async () => {
  service.drops = 2;
  expectWhole(await run(), "dropped");
  expect(service.keys).toEqual(["key"]);
});

test("a service that is overloaded is asked again when it wants to be", async () => {
  const body = { code: "storage_unavailable", title: "Service Unavailable", status: 503 };
  service.errors = [{ status: 503, body, headers: { "Retry-After": "2" } }];
  const ran = await run();
  expectWhole(ran, "overloaded");
  expect(ran.waited).toEqual([2000]);
});

test("a sender who is too fast is heard again after exactly as long as the service says", async () => {
  const body = { code: "rate_limited", title: "Too Many Requests", status: 429 };
  service.errors = [{ status: 429, body, headers: { "Retry-After": "12" } }];
  const ran = await run();
  expectWhole(ran, "too fast");
  expect(ran.waited).toEqual([12_000]);
});

test("a limit that lasts until tomorrow is said at once, and the message is kept", async () => {
  const body = { code: "daily_bytes_reached", title: "Too Many Requests", status: 429 };
  service.errors = [{ status: 429, body, headers: { "Retry-After": "43200" } }];
  const { turn, waited } = await run();
  expect([turn.phase, turn.error?.code]).toEqual(["unsent", "daily_bytes_reached"]);
  expect(waited).toEqual([]);
});

test("a key that is being answered is asked for until it is", async () => {
  const refusal = { status: 409, body: { code: "idempotency_in_progress", title: "Conflict", status: 409 } };
  service.errors = Array.from({ length: 6 }, () => refusal);
  expectWhole(await run(), "in progress");
});

test("a message that can't be sent is kept, and another try uses the same key", async () => {
  service.drops = 4;
  const { running, shown, ...rest } = runner();
  const unsent = await running.run();
  expect([unsent.phase, unsent.error?.code, service.keys]).toEqual(["unsent", "unreachable", []]);
  expectWhole({ turn: await running.run(), shown, ...rest }, "second try");
  expect(service.keys).toEqual(["key"]);
});

test("a refusal that no second try mends is said at once", async () => {
  const body = { code: "conversation_not_found", title: "Not Found", status: 404, request_id: "r1" };
  service.errors = [{ status: 404, body }];
  const { turn, waited } = await run();
  expect([turn.phase, turn.error?.code, turn.error?.requestId]).toEqual([
    "failed",
    "conversation_not_found",
    "r1",
  ]);
  expect(waited).toEqual([]);
});

test("a token that ends before the message is taken leaves it waiting, and the session is told", async () => {
  service.errors = [{ status: 401 }];
  const { turn, refused } = await run();
  expect([turn.phase, refused]).toEqual(["signed_out", ["token"]]);
});

test("a token that ends while the answer is being made loses nothing", async () => {
  service.cutAfter = STREAM.length - 300;
  const { running, shown, api, ...rest } = runner();
  let cut = false;
  const refusing = new TurnRunner(
    {
      ...api,
      progress: async (turnId, after) => {
        if (!cut) service.errors = [{ status: 401 }];
        cut = true;
        return api.progress(turnId, after);
      },
    },
    running.turn,
    (turn) => shown.push(turn.text),
  );
  const waiting = await refusing.run();
  expect([waiting.phase, waiting.text.length > 0]).toEqual(["signed_out", true]);
  expectWhole({ turn: await refusing.run(), shown, ...rest }, "signed in again");
  expect(service.keys).toEqual(["key"]);
});

test("stopping before the turn is known stops it as soon as it is", async () => {
  const { running } = runner();
  const run = running.run();
  await running.stop();
  await run;
  await vi.waitFor(() => expect(service.stopped).toEqual(["/v1/turns/conv.turn/stop"]));
});

test("what an earlier visit left is taken up without sending it again", async () => {
  const { api } = runner();
  const left = newTurn("key", { kind: "send", text: "hi", conversationId: "conv" }, "");
  const taken = new TurnRunner(
    api,
    { ...left, turnId: "conv.turn", conversationId: "conv" },
    () => undefined,
  );
  const turn = await taken.run();
  expect([turn.phase, turn.text, service.keys]).toEqual(["answered", ANSWER, []]);
});
