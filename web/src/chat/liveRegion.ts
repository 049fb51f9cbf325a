/** What screen readers are told of turns: that a message is sent, and what was answered. */

import type { Turn, TurnEvent } from "@/stream/turn";
import { announce } from "@/ui/Announcer";
import { turnErrorMessage } from "./labels";

const MAX_SPOKEN = 600;

export function announceTurn(turn: Turn, event: TurnEvent): void {
  if (event.type === "sending" && !turn.turnId) announce("Sending your message.");
  else if (event.type === "frame" && event.frame.event === "turn") announce("OmniForge is answering.");
  else if (event.type === "cut") announce("Connection lost. Reconnecting to the answer.");
  else if (turn.phase === "answered") announce(`OmniForge answered: ${toPlainText(turn.text)}`);
  else {
    const said = turnErrorMessage(turn);
    if (said) announce(`The message was not answered. ${said}`);
  }
}

/** Markdown as it would be read aloud, shortened. */
function toPlainText(markdown: string): string {
  const plain = markdown
    .replace(/```[\s\S]*?(```|$)/g, " code ")
    .replace(/[*_#`>|]/g, "")
    .replace(/\s+/g, " ");
  return plain.length > MAX_SPOKEN ? `${plain.slice(0, MAX_SPOKEN)}…` : plain;
}
