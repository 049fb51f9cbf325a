/** Announces the progress of turns, and their answers, in the live region for screen readers. */

import { assistantName } from "@/brand/brand";
import type { Turn, TurnEvent } from "@/stream/turn";
import { announce } from "@/ui/Announcer";
import { turnErrorMessage } from "./labels";

const MAX_CHARACTERS = 600;

export function announceTurn(turn: Turn, event: TurnEvent): void {
  if (event.type === "sending" && !turn.turnId) announce("Sending your message.");
  else if (event.type === "frame" && event.frame.event === "turn")
    announce(`${assistantName()} is answering.`);
  else if (event.type === "cut") announce("Connection lost. Reconnecting to the answer.");
  else if (turn.phase === "answered") announce(`${assistantName()} answered: ${toPlainText(turn.text)}`);
  else {
    const message = turnErrorMessage(turn);
    if (message) announce(`The message was not answered. ${message}`);
  }
}

/** The Markdown without its markup, shortened for reading aloud. */
function toPlainText(markdown: string): string {
  const plain = markdown
    .replace(/```[\s\S]*?(```|$)/g, " code ")
    .replace(/[*_#`>|]/g, "")
    .replace(/\s+/g, " ");
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS)}…` : plain;
}
