/** The display name of a conversation. */

const UNTITLED = "New conversation";

export const conversationName = (conversation: { title: string | null }): string =>
  conversation.title?.trim() || UNTITLED;
