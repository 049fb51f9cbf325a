/** Mounts the chat in a site's page: inside an element, or floating in the corner behind a button. */

import type { Theme } from "../protocol";
import { ChatFrame, type GetToken } from "./chatFrame";
import { applyStyles } from "./shadowStyles";

export interface MountOptions {
  /** The element that the chat fills, or its selector. */
  element?: Element | string;
  /** Shows a button in the corner that opens the chat over the page. */
  floating?: boolean;
  /** Called when the chat opens, and again when the API rejects the token. */
  getToken: GetToken;
  /** The chat's colours; the system's theme by default. */
  theme?: Theme;
  /** The accessible name of the button. */
  label?: string;
}

export interface MountedChat {
  /** Opens a floating chat, and focuses it. */
  open(): void;
  close(): void;
  /** Signs the user out of the chat, after they signed out of the site. */
  signOut(): void;
  /** Removes the chat from the page. */
  unmount(): void;
}

/** Mounts the chat served at the origin. Throws a `TypeError` for invalid options. */
export function mount(origin: string, options: MountOptions): MountedChat {
  if (typeof options?.getToken !== "function") throw new TypeError("OmniForge.mount: getToken is missing");
  if (options.floating) return mountFloating(origin, options);
  const { element } = options;
  const container = typeof element === "string" ? document.querySelector(element) : element;
  if (!container) throw new TypeError("OmniForge.mount: there is no such element");
  return mountInline(origin, container, options);
}

function mountInline(origin: string, container: Element, options: MountOptions): MountedChat {
  const host = document.createElement("div");
  host.style.height = "100%";
  const root = attachShadowRoot(host);
  const box = createBox("inline", options);
  const frame = addFrame(box, origin, options, { close: () => undefined, resize: () => undefined });
  root.append(box.element);
  container.append(host);
  return {
    open: () => frame.send({ type: "shown" }),
    close: () => undefined,
    signOut: () => frame.send({ type: "signed_out" }),
    unmount: () => {
      frame.remove();
      host.remove();
    },
  };
}

function mountFloating(origin: string, options: MountOptions): MountedChat {
  const label = options.label ?? "Chat";
  const host = document.createElement("div");
  const root = attachShadowRoot(host);
  const launcher = createButton("launcher");
  const box = createBox("floating", options);
  box.element.setAttribute("role", "dialog");
  box.element.setAttribute("aria-label", label);
  let frame: ChatFrame | null = null;
  const show = (isOpen: boolean) => {
    box.element.hidden = !isOpen;
    launcher.setAttribute("aria-expanded", String(isOpen));
    launcher.setAttribute("aria-label", isOpen ? `Close ${label}` : `Open ${label}`);
    launcher.replaceChildren(createIcon(isOpen ? CROSS : BUBBLE));
  };
  const open = () => {
    show(true);
    frame ??= addFrame(box, origin, options, { close, resize });
    frame.element.focus();
    frame.send({ type: "shown" });
  };
  const close = () => {
    show(false);
    launcher.focus();
  };
  const resize = (large: boolean) => void box.element.classList.toggle("large", large);
  launcher.addEventListener("click", () => (box.element.hidden ? open() : close()));
  box.dismiss.addEventListener("click", close);
  box.dismiss.hidden = false;
  show(false);
  root.append(box.element, launcher);
  document.body.append(host);
  return {
    open,
    close,
    signOut: () => frame?.send({ type: "signed_out" }),
    unmount: () => {
      frame?.remove();
      host.remove();
    },
  };
}

function attachShadowRoot(host: HTMLElement): ShadowRoot {
  const root = host.attachShadow({ mode: "open" });
  applyStyles(root);
  return root;
}

interface Box {
  element: HTMLDivElement;
  /** The text shown instead of the chat. */
  note: HTMLParagraphElement;
  dismiss: HTMLButtonElement;
}

function createBox(kind: "inline" | "floating", { theme = "system" }: MountOptions): Box {
  const element = document.createElement("div");
  element.className = `place ${kind} ${theme}`;
  const cover = document.createElement("div");
  cover.className = "note";
  const note = document.createElement("p");
  note.setAttribute("role", "status");
  const dismiss = createButton("plain");
  dismiss.textContent = "Close";
  dismiss.hidden = true;
  cover.append(note, dismiss);
  element.append(cover);
  return { element, note, dismiss };
}

function addFrame(
  box: Box,
  origin: string,
  options: MountOptions,
  events: { close: () => void; resize: (large: boolean) => void },
): ChatFrame {
  const mode = options.floating ? "floating" : "inline";
  const { getToken, theme = "system" } = options;
  box.note.textContent = "Loading the chat…";
  const frame = new ChatFrame(
    { origin, getToken, mode, theme },
    {
      ...events,
      ready: () => {
        box.note.parentElement?.setAttribute("hidden", "");
        frame.element.classList.add("ready");
        if (mode === "floating") frame.send({ type: "shown" });
      },
      unavailable: () => {
        frame.element.classList.remove("ready");
        box.note.parentElement?.removeAttribute("hidden");
        box.note.textContent = `The chat can't be shown here. Either ${origin} can't be reached, or it does not allow ${window.location.origin} to embed it.`;
      },
    },
  );
  box.element.prepend(frame.element);
  return frame;
}

function createButton(name: string): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = name;
  return element;
}

const BUBBLE = "M21 12a8 8 0 0 1-8 8H4l2-3.2A8 8 0 1 1 21 12Z";
const CROSS = "M6 6l12 12M18 6L6 18";
const SVG = "http://www.w3.org/2000/svg";

function createIcon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}
