/** Uploads files: announced to the service, sent to the address it gives, and checked by it. */

import { ApiError } from "@/api/apiError";
import { type Api, type Schemas, unwrap } from "@/api/client";

export type AttachedFile = Schemas["AttachedFileView"];

/** The types that the service may take, for the file dialog. It decides by the content. */
export const ACCEPTED =
  "image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain,text/markdown,text/csv,application/json,.md,.csv";
const BY_EXTENSION: Readonly<Record<string, string>> = {
  md: "text/markdown",
  csv: "text/csv",
  txt: "text/plain",
  json: "application/json",
};

/** Uploads a file. Throws an `ApiError` that says why it is not taken. */
export async function uploadFile(api: Api, file: File, fetcher: typeof fetch = fetch): Promise<AttachedFile> {
  const extension = file.name.split(".").pop()?.toLowerCase() ?? "";
  const media_type = BY_EXTENSION[extension] ?? (file.type || "application/octet-stream");
  const body = { name: file.name || "pasted", media_type, size: file.size };
  const made = await unwrap(api.POST("/v1/attachments", { body }));
  if (!made.upload) throw ApiError.unreachable();
  const { url, method, headers } = made.upload;
  const sent = await fetcher(url, { method, headers, body: file }).catch(() => null);
  if (!sent?.ok) throw ApiError.unreachable();
  const path = { attachment_id: made.id };
  return unwrap(api.POST("/v1/attachments/{attachment_id}/complete", { params: { path } }));
}
