/** Keys of the query cache. Mutations invalidate by them. */

export const queryKeys = {
  conversations: ["conversations"] as const,
  conversationList: (filter: Record<string, unknown>) => ["conversations", "list", filter] as const,
  conversation: (id: string) => ["conversations", "one", id] as const,
  allVersions: ["versions"] as const,
  versions: (conversationId: string, messageId: string) => ["versions", conversationId, messageId] as const,
  feedback: (conversationId: string, messageId: string) => ["feedback", conversationId, messageId] as const,
  search: (query: string) => ["search", query] as const,
  agents: ["agents"] as const,
  agentList: ["agents", "list"] as const,
  deletedAgents: ["agents", "deleted"] as const,
  agent: (id: string) => ["agents", "one", id] as const,
  runs: ["runs"] as const,
  runList: ["runs", "list"] as const,
  run: (id: string) => ["runs", "one", id] as const,
  tasks: ["tasks"] as const,
  deletedTasks: ["tasks", "deleted"] as const,
  connections: ["connections"] as const,
  mailRecipients: ["mail-recipients"] as const,
  help: (query: string) => ["help", query] as const,
  taskList: (filter: { completed: boolean }) => ["tasks", "list", filter] as const,
} as const;
