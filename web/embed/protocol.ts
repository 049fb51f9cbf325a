/**
 * What the site around the chat and the chat in its frame say to each other, and whom they believe. Every message
 * goes to one exact origin, and one that comes from anywhere else is not looked at.
 */

/** Told by the frame. */
export type FrameMessage =
  /** It runs; the first thing it says. */
  | { type: "hello" }
  /** It needs the user's token; with `renew` the one before is taken no longer. */
  | { type: "token_wanted"; id: number; renew: boolean }
  /** The site is not on the list of those that may embed the chat. */
  | { type: "refused" }
  | { type: "close" }
  | { type: "resize"; large: boolean };

/** Told by the site. */
export type HostMessage =
  /** The answer to `token_wanted`; null: nobody is signed in there. */
  | { type: "token"; id: number; token: string | null }
  /** The chat was opened: the cursor goes into it. */
  | { type: "shown" }
  /** The user signed out there. */
  | { type: "signed_out" };

/** Marks our messages among those of other scripts. */
const PROTOCOL = "omniforge-chat/1";

const FRAME_TYPES = new Set(["hello", "token_wanted", "refused", "close", "resize"]);
const HOST_TYPES = new Set(["token", "shown", "signed_out"]);

/** The part of a window that is spoken to. */
export interface Receiver {
  postMessage(message: unknown, targetOrigin: string): void;
}

/** One side of the talk: whom it speaks to, and at which origin. */
export interface Peer {
  window: Receiver;
  origin: string;
}

/** Says something to the peer; the browser drops it if another origin lives there by now. */
export function postToPeer(peer: Peer, message: FrameMessage | HostMessage): void {
  peer.window.postMessage({ ...message, omniforge: PROTOCOL }, peer.origin);
}

interface IncomingMessage {
  data: unknown;
  origin: string;
  source: unknown;
}

/** What the frame said; null: it was not the frame, or nothing of ours. */
export const readFrameMessage = (event: IncomingMessage, frame: Peer): FrameMessage | null =>
  comesFrom(event, frame) && isOurs(event.data, FRAME_TYPES) ? (event.data as FrameMessage) : null;

/** What the site said; null: it was not the site, or nothing of ours. */
export function readHostMessage(event: IncomingMessage, host: Peer): HostMessage | null {
  if (!comesFrom(event, host) || !isOurs(event.data, HOST_TYPES)) return null;
  const message = event.data as HostMessage;
  if (message.type !== "token") return message;
  const { token } = message;
  return { ...message, token: typeof token === "string" && token ? token : null };
}

function comesFrom(event: IncomingMessage, { window, origin }: Peer): boolean {
  return event.source === window && event.origin === origin;
}

function isOurs(data: unknown, types: ReadonlySet<string>): boolean {
  const { omniforge, type } = (data ?? {}) as { omniforge?: unknown; type?: unknown };
  return omniforge === PROTOCOL && typeof type === "string" && types.has(type);
}

/** The origin of a site as browsers write it; null: it has none one could speak to. */
export function parseOrigin(address: string): string | null {
  try {
    const { origin, protocol } = new URL(address);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

/** Whether a site may embed the chat: it is on the list, exactly, or it is the chat's own. */
export function isAllowedOrigin(host: string, listed: readonly string[], own: string): boolean {
  return host === own || listed.some((entry) => parseOrigin(entry) === host);
}

export type Theme = "light" | "dark" | "system";
export type Mode = "inline" | "floating";

/** What the frame's address says behind `#`; nothing secret, and nothing that is believed. */
export interface FrameParams {
  /** Where the frame is told to be. */
  host: string | null;
  mode: Mode;
  theme: Theme;
}

export function encodeFragment({ host, mode, theme }: FrameParams): string {
  return `#${new URLSearchParams({ host: host ?? "", mode, theme })}`;
}

export function parseFragment(fragment: string): FrameParams {
  const said = new URLSearchParams(fragment.replace(/^#/, ""));
  const theme = said.get("theme");
  return {
    host: parseOrigin(said.get("host") ?? ""),
    mode: said.get("mode") === "floating" ? "floating" : "inline",
    theme: theme === "light" || theme === "dark" ? theme : "system",
  };
}
