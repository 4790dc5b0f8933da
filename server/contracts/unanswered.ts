import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { defineRoute, gid } from './route'
import { sourceKinds } from './sources'

/** Days that are looked back. */
export const UNANSWERED_DAYS = 90
/** The most questions of one call. */
const MOST = 500

/** Those without an answer, or those whose answer was uncertain. */
export const unansweredKinds = ['unanswered', 'uncertain'] as const
export type UnansweredKind = (typeof unansweredKinds)[number]

const questionSchema = z.strictObject({
  /** the same for questions that differ in case, punctuation and spaces alone */
  wording: z.string(),
  /** as it was asked last */
  question: z.string(),
  asked: z.int(),
  last_at: z.string(),
})
const groupSchema = z.strictObject({
  /** most asked first */
  questions: z.array(questionSchema),
  asked: z.int(),
  last_at: z.string(),
  /** the uncertain answer that was given last; null: there was none */
  said: z.string().nullable(),
  /** the passage that comes nearest, whether or not it answers; null: there is none */
  nearest: z
    .strictObject({
      source: z.strictObject({ gid, kind: z.enum(sourceKinds), title: z.string(), url: z.string().nullable() }),
      /** of an FAQ entry its question, else the headings above the passage */
      heading: z.string(),
      /** its beginning */
      text: z.string(),
    })
    .nullable(),
})
export type UnansweredGroup = z.infer<typeof groupSchema>

const params = z.strictObject({ pgid: gid, cgid: gid })

/** Visitors' questions of 90 days that got no answer, or an uncertain one; alike ones together, most asked first. */
export const listUnanswered = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/unanswered',
  access: { feature: 'knowledge_base.view' },
  params,
  query: z.strictObject({ show: z.enum(unansweredKinds).default('unanswered') }),
  answer: z.strictObject({
    groups: z.array(groupSchema),
    /** further groups, which are asked less */
    more: z.int(),
    /** the chatbot that has the sources: this one, or the one whose knowledge base it uses */
    knowledge_of: gid,
  }),
})
export type Unanswered = z.infer<typeof listUnanswered.answer>

/** Takes questions off the list, until one is asked again without an answer; or puts them back. */
export const handleUnanswered = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/unanswered/handled',
  access: { feature: 'knowledge_base.update' },
  params,
  body: z.strictObject({
    wordings: z.array(z.string().min(1).max(caps.userMessage)).min(1, 'Choose a question').max(MOST),
    handled: z.boolean(),
  }),
  answer: z.strictObject({}),
})
