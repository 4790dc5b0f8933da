/** A conversation by its id, and the project whose members may see it. */
export interface ConversationRef {
  id: string
  project_id: string
}
