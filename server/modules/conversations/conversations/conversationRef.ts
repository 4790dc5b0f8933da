/** A conversation, named by what the caller may see: its project, and its id. */
export interface ConversationRef {
  id: string
  project_id: string
}
