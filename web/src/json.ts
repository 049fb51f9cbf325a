/** Reads values of unknown shape, such as parsed JSON, without trusting them. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise null. */
export const asRecord = (value: unknown): Record<string, unknown> | null => (isRecord(value) ? value : null);

/** The value if it is an array, otherwise an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value if it is a string, otherwise an empty one. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The value if it is a finite number, otherwise null. */
export const asNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
