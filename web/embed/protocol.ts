/**
 * The postMessage protocol between the embedding site and the chat's frame. Every message is sent to one exact
 * origin, and messages from any other window or origin are ignored.
 */

/** Messages from the frame. */
export type FrameMessage =
  /** The frame has started; its first message. */
  | { type: "hello" }
  /** The frame needs the user's token. With `renew`, the API rejected the previous one. */
  | { type: "token_wanted"; id: number; renew: boolean }
  /** The site is not allowed to embed the chat. */
  | { type: "refused" }
  | { type: "close" }
  | { type: "resize"; large: boolean };

/** Messages from the site. */
export type HostMessage =
  /** The answer to `token_wanted`; null if nobody is signed in there. */
  | { type: "token"; id: number; token: string | null }
  /** The chat was opened, and should take the focus. */
  | { type: "shown" }
  /** The user signed out of the site. */
  | { type: "signed_out" };

/** Distinguishes our messages from those of other scripts. */
const PROTOCOL = "omniforge-chat/1";

const FRAME_TYPES = new Set(["hello", "token_wanted", "refused", "close", "resize"]);
const HOST_TYPES = new Set(["token", "shown", "signed_out"]);

/** The part of a window that receives messages. */
interface Receiver {
  postMessage(message: unknown, targetOrigin: string): void;
}

/** The other side: its window, and the origin it must have. */
export interface Peer {
  window: Receiver;
  origin: string;
}

/** Sends a message to the peer. The browser drops it if the window has another origin by now. */
export function postToPeer(peer: Peer, message: FrameMessage | HostMessage): void {
  peer.window.postMessage({ ...message, omniforge: PROTOCOL }, peer.origin);
}

interface IncomingMessage {
  data: unknown;
  origin: string;
  source: unknown;
}

/** The frame's message; null if it came from elsewhere or is not ours. */
export const readFrameMessage = (event: IncomingMessage, frame: Peer): FrameMessage | null =>
  comesFrom(event, frame) && isOurs(event.data, FRAME_TYPES) ? (event.data as FrameMessage) : null;

/** The site's message; null if it came from elsewhere or is not ours. */
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

/** The normalized origin of an address; null unless it is http or https. */
export function parseOrigin(address: string): string | null {
  try {
    const { origin, protocol } = new URL(address);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

/** Whether a site may embed the chat: it is the chat's own origin, or exactly on the list. */
export function isAllowedOrigin(host: string, listed: readonly string[], own: string): boolean {
  return host === own || listed.some((entry) => parseOrigin(entry) === host);
}

export type Theme = "light" | "dark" | "system";
export type Mode = "inline" | "floating";

/** The settings in the fragment of the frame's address. They are neither secret nor trusted. */
interface FrameParams {
  /** The site's origin, as the address claims. */
  host: string | null;
  mode: Mode;
  theme: Theme;
}

export function encodeFragment({ host, mode, theme }: FrameParams): string {
  return `#${new URLSearchParams({ host: host ?? "", mode, theme })}`;
}

export function parseFragment(fragment: string): FrameParams {
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  const theme = params.get("theme");
  return {
    host: parseOrigin(params.get("host") ?? ""),
    mode: params.get("mode") === "floating" ? "floating" : "inline",
    theme: theme === "light" || theme === "dark" ? theme : "system",
  };
}
