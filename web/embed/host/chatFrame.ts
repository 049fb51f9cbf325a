/** The chat's iframe in the site's page. Handles its messages, and gives it the user's token on request. */

import {
  encodeFragment,
  type FrameMessage,
  type HostMessage,
  type Mode,
  postToPeer,
  readFrameMessage,
  type Theme,
} from "../protocol";

/** Gives the user's token for the API; null if nobody is signed in. With `renew`, the API rejected the previous one. */
export type GetToken = (request: { renew: boolean }) => string | null | Promise<string | null>;

interface FrameOptions {
  /** The origin that serves the chat. */
  origin: string;
  getToken: GetToken;
  mode: Mode;
  theme: Theme;
}

/** Callbacks for messages of the frame. */
interface FrameEvents {
  /** The chat has started and can be shown. */
  ready: () => void;
  /** The chat can't be shown. The site does not learn why. */
  unavailable: () => void;
  close: () => void;
  resize: (large: boolean) => void;
}

/** A blocked frame fires `load`, too, but never sends a message. */
const MESSAGE_TIMEOUT_MS = 3_000;

export class ChatFrame {
  readonly element = document.createElement("iframe");
  readonly #listen = (event: MessageEvent) => this.#onMessage(event);
  #timeout: ReturnType<typeof setTimeout> | undefined;
  #hasStarted = false;

  constructor(
    readonly options: FrameOptions,
    readonly events: FrameEvents,
  ) {
    const { origin, mode, theme } = options;
    window.addEventListener("message", this.#listen);
    this.element.title = "OmniForge chat";
    this.element.allow = `clipboard-write ${origin}`;
    this.element.src = `${origin}/embed.html${encodeFragment({ host: window.location.origin, mode, theme })}`;
    this.element.addEventListener("load", () => {
      this.#timeout = setTimeout(() => this.#hasStarted || events.unavailable(), MESSAGE_TIMEOUT_MS);
    });
  }

  send(message: HostMessage): void {
    const { contentWindow } = this.element;
    if (contentWindow && this.#hasStarted)
      postToPeer({ window: contentWindow, origin: this.options.origin }, message);
  }

  remove(): void {
    clearTimeout(this.#timeout);
    window.removeEventListener("message", this.#listen);
    this.element.remove();
  }

  #onMessage(event: MessageEvent): void {
    const { contentWindow } = this.element;
    const message =
      contentWindow && readFrameMessage(event, { window: contentWindow, origin: this.options.origin });
    if (message) this.#handle(message);
  }

  #handle(message: FrameMessage): void {
    switch (message.type) {
      case "hello":
        this.#hasStarted = true;
        return this.events.ready();
      case "token_wanted":
        return void this.#giveToken(message.id, message.renew === true);
      case "refused":
        return this.events.unavailable();
      case "close":
        return this.events.close();
      case "resize":
        return this.events.resize(message.large === true);
    }
  }

  async #giveToken(id: number, renew: boolean): Promise<void> {
    let token: string | null = null;
    try {
      token = await this.options.getToken({ renew });
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: for the developer who embeds the chat
      console.error("OmniForge: getToken failed.", error);
    }
    this.send({ type: "token", id, token });
  }
}
