/** Copying text, with a moment in which it is said that it was copied. */

import { useEffect, useRef, useState } from "react";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";

const SAID_FOR_MS = 2_000;

/** Whether something was just copied, and how to copy. */
export function useClipboard(): [boolean, (text: string) => Promise<void>] {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      showToast({ text: "This browser does not let the page copy." });
      return;
    }
    announce("Copied.");
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SAID_FOR_MS);
  };
  return [copied, copy];
}
