/** Header of the embedded chat: new chat, link to the full page, and buttons to resize or close the frame. */

import { ExternalLink, Maximize2, Minimize2, SquarePen, X } from "lucide-react";
import { useState } from "react";
import { useBrand } from "@/brand/brand";
import { Logo } from "@/shell/Logo";
import { conversationPath, NEW_CHAT_PATH, useOpenConversation } from "@/shell/routes";
import { IconButton } from "@/ui/Controls";
import { type Mode, type Peer, postToPeer } from "../protocol";
import styles from "./embed.module.css";

interface EmbedHeaderProps {
  conversationId: string | null;
  host: Peer;
  mode: Mode;
}

export function EmbedHeader({ conversationId, host, mode }: EmbedHeaderProps) {
  const [, open] = useOpenConversation();
  const { name } = useBrand();
  return (
    <header className={styles.bar}>
      <Logo size={22} />
      <h1>{name}</h1>
      {conversationId && (
        <IconButton label="New chat" onClick={() => open(null)} data-testid="new-chat">
          <SquarePen size={17} aria-hidden />
        </IconButton>
      )}
      <a
        className={styles.link}
        href={conversationId ? conversationPath(conversationId) : NEW_CHAT_PATH}
        target="_blank"
        rel="noopener"
        aria-label={`Open ${name} (new tab)`}
        title={`Open ${name}`}
      >
        <ExternalLink size={17} aria-hidden />
      </a>
      {mode === "floating" && <FrameButtons host={host} />}
    </header>
  );
}

function FrameButtons({ host }: { host: Peer }) {
  const [isLarge, setLarge] = useState(false);
  const resize = () => {
    setLarge(!isLarge);
    postToPeer(host, { type: "resize", large: !isLarge });
  };
  return (
    <>
      <IconButton
        label={isLarge ? "Smaller" : "Larger"}
        className={styles.resize ?? ""}
        onClick={resize}
        data-testid="embed-resize"
      >
        {isLarge ? <Minimize2 size={17} aria-hidden /> : <Maximize2 size={17} aria-hidden />}
      </IconButton>
      <IconButton
        label="Close chat"
        onClick={() => postToPeer(host, { type: "close" })}
        data-testid="embed-close"
      >
        <X size={19} aria-hidden />
      </IconButton>
    </>
  );
}
