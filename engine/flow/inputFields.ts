import { z } from 'zod'
import { caps, counts, LONGEST_WAIT } from '../values/caps'
import { dynamicValueSchema, dynamicValueVariables, staticValue } from '../values/dynamicValue'
import type { Json } from '../values/json'
import { renderText } from '../values/render'
import { plainRichText, richTextSchema, richTextToString, richTextVariables } from '../values/richText'
import type { Migration, Port } from './defineBlock'
import type { InputRequest, Listen, Step } from './effects'
import { idSchema } from './schema'
import { ask, read, say, setVariable } from './steps'
import { optionsPart, textPart, type VisitorPart } from './visitorParts'

/** Fields of every kind that asks: how long it waits, and which intents may interrupt. */
export const listenFields = {
  /** seconds without a reply after which it leaves by `no-reply`; null: it waits for ever */
  noReplyAfter: z.int().min(1).max(LONGEST_WAIT).nullable(),
  /** intent triggers that this question listens for before the global ones */
  intents: z.array(idSchema).max(counts.intents),
  /** whether global intents may interrupt */
  interruptible: z.boolean(),
}

export type ListenFields = z.infer<z.ZodObject<typeof listenFields>>

export const listenDefaults = (): ListenFields => ({ noReplyAfter: null, intents: [], interruptible: true })

/** @param fallback the port that is taken on no reply if `no-reply` is not connected */
export const listenPorts = <const Fallback extends string>(
  { noReplyAfter }: ListenFields,
  fallback: Fallback,
): Port<Fallback | 'no-reply'>[] => (noReplyAfter === null ? [] : [{ id: 'no-reply', label: 'No reply', fallback }])

/** The listening options of a question, in the shape that `ask` takes. */
export const listening = ({ intents, interruptible }: ListenFields): Listen => ({ intents, interruptible })
export const timeoutOf = ({ noReplyAfter }: ListenFields): { timeout?: number } =>
  noReplyAfter === null ? {} : { timeout: noReplyAfter }

/** Migrates data from before these fields existed. */
export const addQuickReplies: Migration = {
  name: 'AddQuickReplies',
  up: (data) => ({ ...data, quickReplies: [], ...listenDefaults() }),
}

/** Fields of every input kind (PRODUCT.md, blocks). `attempts` is how often it asks, including the first time. */
export const inputFields = {
  prompt: richTextSchema(caps.text),
  placeholder: dynamicValueSchema(caps.placeholder),
  saveTo: idSchema.nullable(),
  required: z.boolean(),
  retryText: richTextSchema(caps.text),
  attempts: z.int().min(1).max(counts.attempts),
  /** suggested answers */
  quickReplies: z
    .array(z.strictObject({ id: idSchema, label: dynamicValueSchema(caps.quickReply) }))
    .max(counts.quickReplies),
  ...listenFields,
}

/** Those of them that visitors read. */
export const inputTexts = ['prompt', 'placeholder', 'quickReplies.*.label', 'retryText'] as const

/** What channels limit of them. */
export const inputParts = ({ prompt, retryText, quickReplies }: InputFields): VisitorPart[] => [
  textPart('prompt', prompt),
  textPart('retryText', retryText),
  ...(quickReplies.length > 0 ? [optionsPart('quickReplies', quickReplies)] : []),
]

export type InputFields = z.infer<z.ZodObject<typeof inputFields>>

export const inputDefaults = (retryText: string): InputFields => ({
  prompt: plainRichText(''),
  placeholder: staticValue(''),
  saveTo: null,
  required: true,
  retryText: plainRichText(retryText),
  attempts: 3,
  quickReplies: [],
  ...listenDefaults(),
})

export const inputReads = (data: InputFields): string[] => [
  ...richTextVariables(data.prompt),
  ...dynamicValueVariables(data.placeholder),
  ...richTextVariables(data.retryText),
  ...data.quickReplies.flatMap(({ label }) => dynamicValueVariables(label)),
]

export const inputWrites = (data: InputFields): string[] => (data.saveTo ? [data.saveTo] : [])

type InputPort = 'next' | 'skip' | 'invalid' | 'no-reply'

/** Ports of every input kind; `skip` exists if the answer is optional. */
export const inputPorts = (data: InputFields): Port<InputPort>[] => [
  { id: 'next' },
  ...(data.required ? [] : [{ id: 'skip' as const, label: 'Skip', fallback: 'next' as const }]),
  { id: 'invalid', label: 'Invalid', fallback: 'next' },
  ...listenPorts(data, 'next'),
]

/** A request without what every input kind adds. */
type BareRequest = InputRequest extends infer Request
  ? Request extends { quickReplies?: unknown }
    ? Omit<Request, 'quickReplies' | 'timeout' | 'required' | 'placeholder'>
    : never
  : never

/**
 * Asks until the answer is valid, and saves it. Every input kind works like this: prompt, answer; after an invalid one
 * the retry text (`message` if that is empty), then the next attempt, at most `attempts` in all.
 * @param parse returns the answer to save, or null if it is invalid
 * @param message what is wrong with an answer, if the editor wrote no retry text
 * @param propose a likely correction of an invalid answer, offered as a quick reply
 * @returns the port to leave by; an optional input treats an empty answer as a skip
 */
export function* askInput(
  data: InputFields,
  bare: BareRequest,
  parse: (text: string) => Json,
  message: string | ((text: string) => string),
  propose: (text: string) => string | null = () => null,
): Step<InputPort> {
  yield* say(data.prompt)
  const variables = yield* read()
  const request = {
    placeholder: renderText(data.placeholder, variables),
    required: data.required,
    ...bare,
    ...timeoutOf(data),
    ...(data.quickReplies.length > 0 && {
      quickReplies: data.quickReplies
        .map(({ id, label }) => ({ id, label: renderText(label, variables) }))
        .filter(({ label }) => label.trim() !== ''),
    }),
  } as InputRequest
  const ownText = richTextToString(data.retryText, () => 'chip').trim() !== ''
  let proposed: string | null = null
  for (let attempt = 1; ; attempt++) {
    const reply = yield* ask(proposed === null ? request : withProposal(request, proposed), listening(data))
    if (reply.type === 'timeout') return 'no-reply'
    const text = reply.type === 'text' ? reply.text : ''
    if (!data.required && (reply.type === 'text' || reply.type === 'skip') && text.trim() === '') return 'skip'
    const value = parse(text)
    if (value !== null) {
      if (data.saveTo) yield* setVariable(data.saveTo, value)
      return 'next'
    }
    if (attempt >= data.attempts) return 'invalid'
    proposed = propose(text)
    const problem = typeof message === 'string' ? message : message(text)
    yield* say(ownText ? data.retryText : plainRichText(problem))
  }
}

/** The request with one more quick reply, placed first. */
const withProposal = (request: InputRequest, label: string): InputRequest => {
  const present = 'quickReplies' in request ? (request.quickReplies ?? []) : []
  return {
    ...request,
    quickReplies: [{ id: 'proposed', label }, ...present].slice(0, counts.quickReplies),
  } as InputRequest
}
