/** The chat's frame in the site's page: it is made, listened to, and given the user's token when it asks. */

import {
  encodeFragment,
  type FrameMessage,
  type HostMessage,
  type Mode,
  postToPeer,
  readFrameMessage,
  type Theme,
} from "../protocol";

/** The user's token for OmniForge's API; null: nobody is signed in. `renew`: the one before is taken no longer. */
export type GetToken = (asked: { renew: boolean }) => string | null | Promise<string | null>;

export interface FrameOptions {
  /** Where the chat is served. */
  origin: string;
  getToken: GetToken;
  mode: Mode;
  theme: Theme;
}

/** What the page around the frame does about it. */
export interface FrameEvents {
  /** The chat runs and may be seen. */
  ready: () => void;
  /** The chat can't be shown here; why is not for a site to know. */
  unavailable: () => void;
  close: () => void;
  resize: (large: boolean) => void;
}

/** A frame that was refused is loaded, too, but never speaks. */
const SILENT_AFTER_LOAD_MS = 3_000;

export class ChatFrame {
  readonly element = document.createElement("iframe");
  readonly #listen = (event: MessageEvent) => this.#hear(event);
  #silence: ReturnType<typeof setTimeout> | undefined;
  #spoke = false;

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
      this.#silence = setTimeout(() => this.#spoke || events.unavailable(), SILENT_AFTER_LOAD_MS);
    });
  }

  send(message: HostMessage): void {
    const { contentWindow } = this.element;
    if (contentWindow && this.#spoke)
      postToPeer({ window: contentWindow, origin: this.options.origin }, message);
  }

  remove(): void {
    clearTimeout(this.#silence);
    window.removeEventListener("message", this.#listen);
    this.element.remove();
  }

  #hear(event: MessageEvent): void {
    const { contentWindow } = this.element;
    const message =
      contentWindow && readFrameMessage(event, { window: contentWindow, origin: this.options.origin });
    if (message) this.#do(message);
  }

  #do(message: FrameMessage): void {
    switch (message.type) {
      case "hello":
        this.#spoke = true;
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
      // biome-ignore lint/suspicious/noConsole: whoever builds the chat into a site looks here
      console.error("OmniForge: getToken failed.", error);
    }
    this.send({ type: "token", id, token });
  }
}
