import { z } from 'zod'
import { defineRoute, gid } from './route'

/** Most answers that are listed: the newest. */
export const SURVEY_ANSWERS_SHOWN = 50

/** What a visitor said of a conversation. */
export const surveyAnswerSchema = z.strictObject({
  /** `flow`: by a question of the flow, which asks for a rating, a choice or words */
  asked: z.enum(['survey', 'flow']),
  /** from 1, very bad, to 5, very good; on scales of other sizes the nearest; null: none was asked for */
  rating: z.int().nullable(),
  /** what was chosen at a flow's question, by its labels, such as 9 on a scale of 0 to 10 */
  chosen: z.string(),
  follow_up: z.array(z.string()),
  /** null: not asked, or left out */
  resolved: z.boolean().nullable(),
  feedback: z.string(),
  at: z.string(),
})
export type SurveyAnswer = z.infer<typeof surveyAnswerSchema>

export const readSurveyAnswers = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/survey-answers',
  access: { feature: 'conversations.view' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  answer: z.strictObject({
    count: z.int(),
    /** of all ratings; null: there are none */
    average: z.number().nullable(),
    /** how many of a hundred say that their question was answered; null: nobody was asked */
    resolved: z.int().nullable(),
    /** `id`: unique among them */
    answers: z.array(surveyAnswerSchema.extend({ id: z.string(), conversation: gid })),
  }),
})
