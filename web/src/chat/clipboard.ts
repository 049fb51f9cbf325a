/** Copies text to the clipboard, and confirms it for a moment. */

import { useEffect, useRef, useState } from "react";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";

const CONFIRM_MS = 2_000;

/** Whether a text was just copied, and a function that copies one. */
export function useClipboard(): [boolean, (text: string) => Promise<void>] {
  const [isCopied, setCopied] = useState(false);
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
    timer.current = setTimeout(() => setCopied(false), CONFIRM_MS);
  };
  return [isCopied, copy];
}
