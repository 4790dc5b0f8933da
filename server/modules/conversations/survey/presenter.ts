import type { SurveyAnswer } from '../../../contracts/surveyAnswers'
import type { SurveyAnswersTable } from '../tables'

type Answered = Pick<SurveyAnswersTable, 'rating' | 'follow_up' | 'resolved' | 'feedback' | 'answered_at'>

/** What a visitor said of a conversation, for members who may read it. */
export const presentAnswer = ({ rating, follow_up, resolved, feedback, answered_at }: Answered): SurveyAnswer => ({
  rating,
  follow_up,
  resolved,
  feedback,
  at: answered_at.toISOString(),
})
