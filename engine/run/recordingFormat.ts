import { z } from 'zod'
import { EngineError } from '../errors'
import { inputRequestSchema, messageSchema, replySchema } from '../flow/conversation'
import { caps } from '../values/caps'
import { firstProblem } from '../values/issues'
import { jsonSchema } from '../values/json'
import { stopReasons } from './session'

/** A conversation kept as a test, as plain JSON: its inputs, and what the bot did with them. */
export const RECORDING_FORMAT = 'parley-recording'
export const RECORDING_VERSION = 1
export const recordingCaps = { name: 100, turns: 1_000, bytes: 5e6 } as const

const id = z.string().max(64)
/** Characters of what an advertisement says, each; ours. */
export const LONGEST_AD_TEXT = 1_000
export const recordingName = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(recordingCaps.name, `Must not exceed ${recordingCaps.name} characters`)

const adText = z.string().max(LONGEST_AD_TEXT)
const startEventSchema = z.strictObject({
  type: z.literal('start'),
  url: z.string().max(caps.url).optional(),
  awayDays: z.int().min(0).optional(),
  begun: z.array(id).optional(),
  signal: z.strictObject({ trigger: id, values: z.record(id, jsonSchema) }).optional(),
  opened: id.optional(),
  referral: z
    .strictObject({
      ...{ url: z.string().max(caps.url), id: adText, type: adText, headline: adText, body: adText, clickId: adText },
    })
    .optional(),
})

/** The runtime's answers, in the order of the requests. */
const answerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('now'), result: z.string() }),
  z.strictObject({ type: z.literal('random'), result: z.number() }),
  z.strictObject({ type: z.literal('call'), service: z.string(), request: jsonSchema, result: jsonSchema }),
])

const placeSchema = z.strictObject({
  /** null for the chatbot's main flow */
  flowId: id.nullable(),
  groupId: id,
  blockId: id,
})
const stepSchema = placeSchema.extend({
  /** the port it left by; null while it waits, and if it continued elsewhere */
  port: id.nullable(),
  said: z.array(messageSchema),
  /** the beginnings of the values that it set, by variable */
  writes: z.record(z.string(), jsonSchema),
})
const turnSchema = z.strictObject({
  /** null for the turn that starts the conversation */
  reply: replySchema.nullable(),
  answers: z.array(answerSchema),
  expected: z.strictObject({
    steps: z.array(stepSchema),
    request: inputRequestSchema.nullable(),
    ended: z.boolean(),
    stopped: z.strictObject({ reason: z.enum(stopReasons), at: placeSchema }).nullable(),
    variables: z.record(z.string(), jsonSchema),
  }),
})

export const recordingSchema = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  version: z.literal(RECORDING_VERSION),
  name: recordingName,
  event: startEventSchema,
  /** system variables provided by the runtime, by id */
  variables: z.record(z.string(), jsonSchema),
  turns: z.array(turnSchema).min(1).max(recordingCaps.turns),
})

export type Recording = z.infer<typeof recordingSchema>
export type RecordedTurn = z.infer<typeof turnSchema>
export type RecordedAnswer = z.infer<typeof answerSchema>
export type Expected = RecordedTurn['expected']
export type RecordedStep = z.infer<typeof stepSchema>

/**
 * Parses the text of a file with one recording or a list of them.
 * @throws EngineError RECORDING_INVALID, naming the place and the remedy
 */
export function parseRecordings(text: string): Recording[] {
  let value: unknown
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (cause) {
    throw new EngineError('RECORDING_INVALID', 'It is not JSON: export the test again.', { cause })
  }
  const given = Array.isArray(value) ? value : [value]
  return given.map((one, index) => {
    const { format, version } = (typeof one === 'object' && one !== null ? one : {}) as Partial<Recording>
    if (format !== RECORDING_FORMAT)
      throw new EngineError(
        'RECORDING_INVALID',
        `Its format is not '${RECORDING_FORMAT}': give a test that was exported.`,
      )
    if (typeof version === 'number' && version > RECORDING_VERSION)
      throw new EngineError(
        'RECORDING_INVALID',
        `It has version ${version}; this one reads up to ${RECORDING_VERSION}.`,
      )
    const parsed = recordingSchema.safeParse(one)
    if (parsed.success) return parsed.data
    const place = given.length > 1 ? `Test ${index + 1}, ` : ''
    throw new EngineError('RECORDING_INVALID', `${place}${firstProblem(parsed.error.issues)}.`)
  })
}

/** The text of a file of recordings. */
export const serialiseRecordings = (recordings: readonly Recording[]): string =>
  `${JSON.stringify(recordings.length === 1 ? recordings[0] : recordings, null, 2)}\n`

/**
 * Replaces flow ids in a recording: a chatbot was copied, exported or imported. Ids that `newId` returns unchanged
 * stay.
 */
export function remapRecording(recording: Recording, newId: (flowId: string) => string): Recording {
  const moved = <Place extends { flowId: string | null }>(place: Place): Place => ({
    ...place,
    flowId: place.flowId === null ? null : newId(place.flowId),
  })
  return {
    ...recording,
    turns: recording.turns.map(({ expected, ...turn }) => ({
      ...turn,
      expected: {
        ...expected,
        steps: expected.steps.map(moved),
        stopped: expected.stopped && { ...expected.stopped, at: moved(expected.stopped.at) },
      },
    })),
  }
}
