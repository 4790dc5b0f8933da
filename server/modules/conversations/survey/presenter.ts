import type { Selectable } from 'kysely'
import type { SurveyAnswer } from '../../../contracts/surveyAnswers'
import type { SurveyAnswersTable } from '../tables'

type Answered = Pick<
  Selectable<SurveyAnswersTable>,
  'block_id' | 'rating' | 'chosen' | 'follow_up' | 'resolved' | 'feedback' | 'answered_at'
>

/** What a visitor said of a conversation, for members who may read it. */
export const presentAnswer = ({
  block_id,
  rating,
  chosen,
  follow_up,
  resolved,
  feedback,
  answered_at,
}: Answered): SurveyAnswer => ({
  asked: block_id === '' ? 'survey' : 'flow',
  rating,
  chosen,
  follow_up,
  resolved,
  feedback,
  at: answered_at.toISOString(),
})
