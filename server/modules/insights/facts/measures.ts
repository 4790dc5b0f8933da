/**
 * What is counted, of a conversation and of a quarter of an hour alike: each is a number of a conversation, and their
 * sums are the figures. A conversation belongs to the quarter in which it began.
 */
export const measures = [
  'conversations',
  /** its visitor had another conversation with the chatbot before */
  'returning_visitors',
  'messages',
  'visitor_messages',
  'bot_messages',
  'person_messages',
  /** the visitor wrote nothing; the other conversations have one of the next three outcomes */
  'silent',
  'resolved_bot',
  'resolved_person',
  'unresolved',
  'handed_over',
  /** a person wrote, and after how many seconds since the hand-off, or since the visitor's first message */
  'person_answered',
  'answer_seconds',
  'rated',
  'rating_sum',
  'rated_1',
  'rated_2',
  'rated_3',
  'rated_4',
  'rated_5',
  /** the visitor said so in the survey, and wrote a comment there */
  'said_resolved',
  'said_unresolved',
  'commented',
  'helpful',
  'unhelpful',
  /** questions that an answer was sought for in sources or by a model, and those that got one */
  'questions',
  'answered',
] as const
export type Measure = (typeof measures)[number]
export type Measures = Record<Measure, number>

/** The tables of sums, each with what its rows are kept apart by: its primary key. */
export const sums = [
  ['insight_rows', ['chatbot_id', 'quarter', 'environment', 'channel', 'language']],
  // its day is that of UTC
  ['insight_days', ['chatbot_id', 'day', 'environment', 'channel', 'language']],
] as const
