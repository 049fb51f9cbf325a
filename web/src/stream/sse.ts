/**
 * Server-sent events from bytes, however they were cut on the way.
 * Source: the WHATWG HTML standard, 9.2.6 (interpreting an event stream).
 */

export interface ServerEvent {
  /** The event's own id; null: it carries none. */
  id: string | null;
  event: string;
  data: string;
}

/** Collects bytes and hands out the events that are complete. An event without its blank line is never given. */
export class EventParser {
  readonly #decoder = new TextDecoder("utf-8");
  #line = "";
  #afterReturn = false;
  #id: string | null = null;
  #event = "";
  #data: string[] = [];

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): ServerEvent[] {
    const events: ServerEvent[] = [];
    // The decoder drops a byte order mark at the beginning and keeps a character that is cut in two.
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text && this.#afterReturn) {
      // Of a CR LF the CR has ended the line already.
      if (text.startsWith("\n")) text = text.slice(1);
      this.#afterReturn = false;
    }
    this.#afterReturn = text.endsWith("\r") || (text === "" && this.#afterReturn);
    const lines = (this.#line + text).split(/\r\n|\r|\n/);
    this.#line = lines.pop() ?? "";
    for (const line of lines) {
      const event = this.#take(line);
      if (event) events.push(event);
    }
    return events;
  }

  #take(line: string): ServerEvent | null {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #dispatch(): ServerEvent | null {
    const event = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    const hasData = this.#data.length > 0;
    this.#id = null;
    this.#event = "";
    this.#data = [];
    return hasData ? event : null;
  }
}
