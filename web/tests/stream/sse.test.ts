import { expect, test } from "vitest";
import { EventParser, type ServerEvent } from "@/stream/sse";

const bytes = (text: string) => new TextEncoder().encode(text);

function parsed(...pieces: Uint8Array[]): ServerEvent[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const STREAM = [
  "\uFEFFid: 1\nevent: turn\ndata: {}\n\n",
  ": keep-alive\n\n",
  'id: 2\r\nevent: chunk\r\ndata: {"text":"Grüße, 你好 👋"}\r\n\r\n',
  "id: 3\revent: chunk\rdata: one\rdata: two\r\r",
  "data:no space\n\n",
].join("");

const EVENTS: ServerEvent[] = [
  { id: "1", event: "turn", data: "{}" },
  { id: "2", event: "chunk", data: '{"text":"Grüße, 你好 👋"}' },
  { id: "3", event: "chunk", data: "one\ntwo" },
  { id: null, event: "message", data: "no space" },
];

test("a stream in one piece gives its events, whatever ends their lines", () => {
  expect(parsed(bytes(STREAM))).toEqual(EVENTS);
});

test("a stream cut in two at any byte gives the same events", () => {
  const all = bytes(STREAM);
  for (let cut = 0; cut <= all.length; cut++) {
    expect(parsed(all.slice(0, cut), all.slice(cut)), `cut at ${cut}`).toEqual(EVENTS);
  }
});

test("a stream that comes byte by byte gives the same events", () => {
  expect(parsed(...Array.from(bytes(STREAM), (byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
});

test("an event whose blank line never came is not given", () => {
  expect(parsed(bytes('id: 1\nevent: chunk\ndata: {"text":"half'))).toEqual([]);
  expect(parsed(bytes('id: 1\nevent: chunk\ndata: {"text":"whole"}\n'))).toEqual([]);
});

test("comments, empty events and unknown fields say nothing", () => {
  expect(parsed(bytes(": x\n\n\n\nretry: 5\n\nfoo\n\nevent: chunk\nid: 9\n\ndata: x\n\n"))).toEqual([
    { id: null, event: "message", data: "x" },
  ]);
});

test("an event before the first data line does not lend its id to the next event", () => {
  expect(parsed(bytes("id: 1\ndata: a\n\ndata: b\n\n")).map((event) => event.id)).toEqual(["1", null]);
});
