import { z } from 'zod'
import { recordingCaps, recordingName } from '../../engine/run/recordingFormat'
import { defineRoute, gid, ok } from './route'

/** Conversations with the draft, kept as tests of their chatbot. */
export const testSchema = z.strictObject({
  gid,
  name: z.string(),
  /** number of turns */
  turns: z.int(),
  at: z.string(),
  by: z.string(),
})
export type KeptTest = z.infer<typeof testSchema>

const placeSchema = z.strictObject({
  flowId: z.string().nullable(),
  groupId: z.string(),
  blockId: z.string().optional(),
})

export const testResultSchema = z.strictObject({
  gid,
  name: z.string(),
  /** the first difference; null: the conversation is unchanged */
  difference: z
    .strictObject({
      /** from 0 */
      turn: z.int(),
      type: z.enum(['path', 'left', 'said', 'set', 'called', 'asked', 'ended', 'stopped', 'unreached']),
      place: placeSchema.extend({ name: z.string() }).nullable(),
      expected: z.string(),
      actual: z.string(),
    })
    .nullable(),
})
export type TestResult = z.infer<typeof testResultSchema>

const share = z.strictObject({ reached: z.int(), total: z.int() })
export const coverageSchema = z.strictObject({
  groups: share,
  ports: share,
  /** the first places that no test reaches: groups, and ports in reached groups */
  unreached: z.array(placeSchema.extend({ portId: z.string().optional(), name: z.string() })),
})

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = inChatbot.extend({ gid })
const path = '/api/projects/:pgid/chatbots/:cgid/tests'

export const TESTS_PER_CHATBOT = 200
/** Most bytes of a body with a file's text. */
const TESTS_FILE_BODY = 32 * 1024 * 1024

export const listTests = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'testing.view' },
  params: inChatbot,
  answer: z.strictObject({ tests: z.array(testSchema) }),
})
/** Keeps the caller's own playground conversation, as a whole or up to and including `turn`. */
export const keepTest = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'testing.use' },
  load: 'draft',
  params: inChatbot,
  body: z.strictObject({ conversation: gid, name: recordingName, turn: z.int().min(0).optional() }),
  answer: z.strictObject({ test: testSchema }),
})
/** Replays all tests on the present drafts; nothing outside is called. */
export const runTests = defineRoute({
  method: 'POST',
  path: `${path}/run`,
  access: { feature: 'testing.use' },
  load: 'draft',
  params: inChatbot,
  answer: z.strictObject({ results: z.array(testResultSchema), coverage: coverageSchema }),
})
export const renameTest = defineRoute({
  method: 'PATCH',
  path: `${path}/:gid`,
  access: { feature: 'builder.update' },
  params: one,
  body: z.strictObject({ name: recordingName }),
  answer: ok,
})
/** Makes the draft's present behaviour the expectation. */
export const acceptTest = defineRoute({
  method: 'POST',
  path: `${path}/:gid/accept`,
  access: { feature: 'builder.update' },
  load: 'draft',
  params: one,
  answer: ok,
})
export const deleteTest = defineRoute({
  method: 'DELETE',
  path: `${path}/:gid`,
  access: { feature: 'builder.update' },
  params: one,
  answer: ok,
})
/** All tests as a file for `parley test`, to use with the exported chatbot. */
export const exportTests = defineRoute({
  method: 'GET',
  path: `${path}/export`,
  access: { feature: 'testing.view' },
  params: inChatbot,
  answer: z.strictObject({ file: z.string() }),
})
export const importTests = defineRoute({
  method: 'POST',
  path: `${path}/import`,
  access: { feature: 'builder.update' },
  params: inChatbot,
  body: z.strictObject({ source: z.string().max(recordingCaps.bytes, 'The file is larger than 5 MB') }),
  bodyLimit: TESTS_FILE_BODY,
  answer: z.strictObject({ added: z.int() }),
})
