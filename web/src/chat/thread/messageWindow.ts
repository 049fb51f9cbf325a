/**
 * The messages of a conversation that are loaded: the newest, and, while somebody reads elsewhere, a stretch from its
 * middle. Immutable; the functions that fetch return the window with what was fetched.
 */

import type { Api } from "@/api/client";
import type { MessageView } from "@/cache/messageCache";
import { fetchMessagePage, type MessagePage, mergeNewestPage } from "./messageHistory";

const PAGE_SIZE = 100;
const NOTHING: MessagePage = { messages: [], hasOlder: false, hasNewer: false };

interface Fields {
  newestPage: MessagePage;
  /** The stretch that is shown instead of the newest messages, if any. */
  stretch: MessagePage | null;
  /** The messages come from the cache. */
  isStale: boolean;
  isLoaded: boolean;
}

export class MessageWindow {
  private constructor(readonly fields: Fields) {}

  /** The messages that an earlier visit left, if any. */
  static cached(messages: readonly MessageView[] | null): MessageWindow {
    const newestPage = { ...NOTHING, messages: messages ?? [] };
    return new MessageWindow({ newestPage, stretch: null, isStale: messages !== null, isLoaded: false });
  }

  /** The window of a conversation that is new, so that nothing need be fetched. */
  static complete(): MessageWindow {
    return new MessageWindow({ newestPage: NOTHING, stretch: null, isStale: false, isLoaded: true });
  }

  get shown(): readonly MessageView[] {
    return this.#page.messages;
  }

  /** The loaded messages at the end of the conversation. */
  get newest(): readonly MessageView[] {
    return this.fields.newestPage.messages;
  }

  get hasOlder(): boolean {
    return this.#page.hasOlder;
  }

  get hasNewer(): boolean {
    return this.fields.stretch !== null;
  }

  get isStale(): boolean {
    return this.fields.isStale;
  }

  /** Fetches the newest messages and, at the same time, those around a sequence number, which are shown then. */
  async withNewest(api: Api, conversationId: string, around: number | null = null): Promise<MessageWindow> {
    const { newestPage, isLoaded } = this.fields;
    const [page, stretch] = await Promise.all([
      fetchMessagePage(api, conversationId),
      around === null ? null : fetchAround(api, conversationId, around).catch(() => null),
    ]);
    const hadOlder = isLoaded ? newestPage.hasOlder : page.hasOlder;
    const merged = mergeNewestPage(newestPage.messages, hadOlder, page);
    const window = this.#with({ newestPage: { ...NOTHING, ...merged }, isStale: false, isLoaded: true });
    return stretch ? window.#withStretch(stretch) : window;
  }

  async withOlder(api: Api, conversationId: string): Promise<MessageWindow> {
    const first = this.shown[0]?.sequence;
    if (first === undefined) return this;
    const page = await fetchMessagePage(api, conversationId, { before: first, limit: PAGE_SIZE });
    return this.#withShown({
      ...this.#page,
      messages: [...page.messages, ...this.shown],
      hasOlder: page.hasOlder,
    });
  }

  async withNewer(api: Api, conversationId: string): Promise<MessageWindow> {
    const { stretch } = this.fields;
    const last = stretch?.messages.at(-1)?.sequence;
    if (!stretch || last === undefined) return this.atEnd();
    const page = await fetchMessagePage(api, conversationId, { after: last, limit: PAGE_SIZE });
    return this.#withStretch({
      ...stretch,
      messages: [...stretch.messages, ...page.messages],
      hasNewer: page.hasNewer,
    });
  }

  /** Shows the messages on both sides of a sequence number, by one request. */
  async around(api: Api, conversationId: string, sequence: number): Promise<MessageWindow> {
    return this.#withStretch(await fetchAround(api, conversationId, sequence));
  }

  /** Shows the newest messages again. */
  atEnd(): MessageWindow {
    return this.#with({ stretch: null });
  }

  /** Changes a message, wherever it is loaded. */
  withChange(messageId: string, change: (message: MessageView) => MessageView): MessageWindow {
    const changed = (page: MessagePage): MessagePage => ({
      ...page,
      messages: page.messages.map((message) => (message.id === messageId ? change(message) : message)),
    });
    const { newestPage, stretch } = this.fields;
    return this.#with({ newestPage: changed(newestPage), stretch: stretch && changed(stretch) });
  }

  get #page(): MessagePage {
    return this.fields.stretch ?? this.fields.newestPage;
  }

  #with(fields: Partial<Fields>): MessageWindow {
    return new MessageWindow({ ...this.fields, ...fields });
  }

  #withShown(page: MessagePage): MessageWindow {
    return this.#with(this.fields.stretch ? { stretch: page } : { newestPage: page });
  }

  /** Shows the stretch; one that reaches the newest messages is joined with them. */
  #withStretch(stretch: MessagePage): MessageWindow {
    const { newestPage } = this.fields;
    const first = newestPage.messages[0]?.sequence ?? Number.POSITIVE_INFINITY;
    const last = stretch.messages.at(-1)?.sequence ?? 0;
    if (last < first && stretch.hasNewer) return this.#with({ stretch });
    const older = stretch.messages.filter((message) => message.sequence < first);
    const end = newestPage.messages.at(-1)?.sequence ?? 0;
    const newer = stretch.messages.filter((message) => message.sequence >= first && message.sequence > end);
    const messages = [...older, ...newestPage.messages, ...newer];
    const hasOlder = older.length > 0 ? stretch.hasOlder : newestPage.hasOlder;
    return this.#with({ stretch: null, newestPage: { ...NOTHING, messages, hasOlder } });
  }
}

async function fetchAround(api: Api, conversationId: string, sequence: number): Promise<MessagePage> {
  const before = sequence + PAGE_SIZE / 2;
  const page = await fetchMessagePage(api, conversationId, { before, limit: PAGE_SIZE });
  return { ...page, hasNewer: true };
}
