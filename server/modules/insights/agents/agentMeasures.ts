/**
 * What is counted of a member's work in a conversation. Their sums are the figures of the member. A conversation
 * belongs to the quarter in which it began, except `sent`.
 */
export const agentMeasures = [
  /** it was given to the member, by whomever */
  'taken',
  /** the member wrote in it */
  'replied',
  /** the member closed it, and after how many seconds, the last time: since the hand-off or the first message */
  'closed',
  'closed_seconds',
  'messages',
  /** the member was the first to answer in it, and after how many seconds since then */
  'first_answers',
  'first_answer_seconds',
  /** it was rated, and the member was the last to answer in it */
  'rated',
  'rating_sum',
  /** messages in the quarter in which they were sent, whenever the conversation began */
  'sent',
] as const
export type AgentMeasure = (typeof agentMeasures)[number]

/** What the rows of a quarter are kept apart by. */
export const agentDimensions = ['project_id', 'chatbot_id', 'environment', 'channel', 'quarter', 'user_id'] as const
