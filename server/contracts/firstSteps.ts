import { z } from 'zod'
import { settingsSchema } from './account'
import { defineRoute, gid } from './route'

/** The questions of the welcome survey with their answers, in the order in which they are asked. */
export const surveyQuestions = {
  purpose: ['support', 'leads', 'appointments', 'orders', 'internal', 'other'],
  role: ['owner', 'support', 'marketing', 'developer', 'other'],
  team: ['alone', 'few', 'dozens', 'more'],
} as const
export type SurveyQuestion = keyof typeof surveyQuestions

export const surveyAnswersSchema = z.strictObject({
  purpose: z.enum(surveyQuestions.purpose).optional(),
  role: z.enum(surveyQuestions.role).optional(),
  team: z.enum(surveyQuestions.team).optional(),
})
export type SurveyAnswers = z.infer<typeof surveyAnswersSchema>

/**
 * Keeps what an account answered to the welcome survey; `null`: it was skipped, and is not asked again. Nobody else
 * is told the answers.
 */
export const answerSurvey = defineRoute({
  method: 'POST',
  path: '/api/user/onboarding-survey',
  access: 'user',
  body: z.strictObject({ answers: surveyAnswersSchema.nullable() }),
  answer: settingsSchema,
})

/** What people may choose among when they are asked what should be built next. */
export const featureChoices = ['channels', 'voice', 'integrations', 'languages'] as const
export type FeatureChoice = (typeof featureChoices)[number]
/** Below so many votes they are not counted for others, since a count would tell who chose what. */
export const COUNTED_FROM = 5

/** Votes once for what should be built next; `null`: puts the question away. */
export const voteFeature = defineRoute({
  method: 'POST',
  path: '/api/user/feature-vote',
  access: 'user',
  body: z.strictObject({ choice: z.enum(featureChoices).nullable() }),
  answer: z.strictObject({
    settings: settingsSchema,
    /** of all accounts of the installation; null: too few have voted */
    votes: z.array(z.strictObject({ choice: z.enum(featureChoices), count: z.int() })).nullable(),
  }),
})

/** Left out: unchanged. */
export const updateStart = defineRoute({
  method: 'POST',
  path: '/api/user/update/start',
  access: 'user',
  body: z.strictObject({
    /** the chatbot that is opened first (SPEC.md 6); null: the project's first one */
    default_chatbot_id: gid.nullish(),
    hide_onboarding_checklist: z.boolean().optional(),
  }),
  answer: settingsSchema,
})
