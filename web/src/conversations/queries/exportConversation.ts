/** Exports a conversation as a file. */

import { type Api, unwrap } from "@/api/client";

export type ExportFormat = "markdown" | "json";

const FORMATS = {
  markdown: { extension: "md", type: "text/markdown" },
  json: { extension: "jsonl", type: "application/x-ndjson" },
} satisfies Record<ExportFormat, { extension: string; type: string }>;

/** Fetches all pages of the export as one text. */
export async function fetchExport(api: Api, conversationId: string, format: ExportFormat): Promise<string> {
  let text = "";
  let cursor: string | null = null;
  do {
    const query: { format: ExportFormat; cursor?: string } = cursor ? { format, cursor } : { format };
    const params = { path: { conversation_id: conversationId }, query };
    const page = api.GET("/v1/conversations/{conversation_id}/export", { params, parseAs: "text" });
    text += await unwrap(page);
    cursor = (await page).response.headers.get("Next-Cursor");
  } while (cursor);
  return text;
}

/** Fetches all pages of the export of all conversations as one text; `onPage` is told how many pages were read. */
export async function fetchFullExport(
  api: Api,
  format: ExportFormat,
  onPage: (pages: number) => void,
): Promise<string> {
  const parts: string[] = [];
  let cursor: string | null = null;
  do {
    const query: { format: ExportFormat; cursor?: string } = cursor ? { format, cursor } : { format };
    const page = api.GET("/v1/export", { params: { query }, parseAs: "text" });
    parts.push(await unwrap(page));
    onPage(parts.length);
    cursor = (await page).response.headers.get("Next-Cursor");
  } while (cursor);
  return parts.join("");
}

/** Saves the text as a file. */
export function downloadFile(text: string, name: string, format: ExportFormat): void {
  const { extension, type } = FORMATS[format];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = `${fileName(name)}.${extension}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

const MAX_NAME = 60;

/** A name that every file system accepts. */
export function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return [...safe].slice(0, MAX_NAME).join("") || "conversation";
}
