"""The UI message stream of the Vercel AI SDK: what `useChat` sends and reads."""
