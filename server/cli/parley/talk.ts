import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { StartEvent } from '../../../engine/flow/conversation'
import type { InputRequest, Reply } from '../../../engine/flow/effects'
import type { Program } from '../../../engine/run/program'
import type { RecordedAnswer } from '../../../engine/run/recordingFormat'
import { messageText } from '../../../engine/run/recordingWords'
import type { RuntimeEffect } from '../../../engine/run/runBlock'
import type { StopReason, TurnResult } from '../../../engine/run/session'
import { newSession, turn } from '../../../engine/run/turn'
import type { Json } from '../../../engine/values/json'
import { findSystemVariable } from '../../../engine/values/systemVariables'
import type { Writes } from '../../platform/effects/callContext'
import { randomName } from './flowFiles'
import type { TerminalHandlers } from './handlers'
import { type Lines, LONGEST_TIMER } from './lines'
import { questionLines, readForm, readReply } from './replies'

export interface Talk {
  event: StartEvent
  variables: Record<string, Json>
  lines: Lines
  print: (line: string) => void
  /** called with each step; null: no trace */
  trace: ((line: string) => void) | null
  /** of variables by id */
  names: ReadonlyMap<string, string>
  effects: TerminalHandlers
  /** what happens to writes of HTTP requests */
  writes: Exclude<Writes, 'real'>
  /** whether answers are printed too: otherwise nobody sees them */
  echo: boolean
  /** skips waits, and is called with their duration; null: waits in real time */
  fast: ((seconds: number) => void) | null
  now: () => Date
  random: () => number
}

type Turn = { reply: Reply | null; answers: RecordedAnswer[] }

/** A conversation in a terminal, until the flow, the visitor or a safety limit ends it. */
export async function talk(program: Program, options: Talk): Promise<{ turns: Turn[]; problem: string | null }> {
  const { print, trace } = options
  const conversation = randomName()
  // a call ends with the process
  const stays = new AbortController().signal
  const turns: Turn[] = []

  async function take(session: TurnResult['session'], reply: Reply | null): Promise<TurnResult> {
    const input = reply ? { type: 'reply' as const, reply } : { type: 'start' as const, event: options.event }
    const running = turn(program, session, input)
    const answers: RecordedAnswer[] = []
    let step = running.next()
    while (!step.done) {
      const answer = await carryOut(step.value)
      answers.push(answer)
      step = running.next(answer.result)
    }
    // an unexpected reply is not part of the conversation
    if (step.value.messages.length > 0 || !isDeepStrictEqual(step.value.session, session))
      turns.push({ reply, answers })
    return step.value
  }

  async function carryOut(effect: RuntimeEffect): Promise<RecordedAnswer> {
    if (effect.type === 'now') return { type: 'now', result: options.now().toISOString() }
    if (effect.type === 'random') return { type: 'random', result: options.random() }
    const { service, request, key } = effect
    const handler = options.effects.find(({ effect: { name } }) => name === service)
    if (!handler) print(`[${service}] is not there on the command line; the call fails.`)
    const missing: Json = { ok: false, error: `There is no effect '${service}'.` }
    const context = { idempotencyKey: `${conversation}.${key}`, signal: stays, writes: options.writes }
    const result = handler ? await handler.answer(request, context) : missing
    return { type: 'call', service, request, result }
  }

  let result = await take(newSession(program, options.variables), null)
  for (;;) {
    for (const message of result.messages) print(`Bot: ${messageText(message).replaceAll('\n', '\n     ')}`)
    if (trace) for (const step of result.trace) trace(traceLine(step))
    for (const { note } of result.trace) if (note && !trace) process.stderr.write(`note: ${note}\n`)
    if (result.stopped) return { turns, problem: stoppedText(result.stopped) }
    const { session } = result
    if (session.status === 'ended' || !session.request) {
      print('(The conversation has ended.)')
      return { turns, problem: null }
    }
    const reply = await hear(session.request, result, options)
    if (reply === null) return { turns, problem: null }
    result = await take(session, reply)
  }
}

/** The visitor's next reply; null when the input has ended. */
async function hear(request: InputRequest, { variables }: TurnResult, options: Talk): Promise<Reply | null> {
  const { lines, print, echo, fast } = options
  if (request.input === 'wait' && fast) {
    fast(request.timeout)
    return { type: 'timeout' }
  }
  // piped lines are answers: a wait consumes none
  if (request.input === 'wait' && echo) {
    await setTimeout(Math.min(request.timeout * 1_000, LONGEST_TIMER))
    return { type: 'timeout' }
  }
  const until = fast || request.timeout === undefined ? undefined : Date.now() + request.timeout * 1_000
  for (const line of questionLines(request)) print(line)
  for (;;) {
    if (request.input === 'form') {
      const ask = async (question: string) => {
        print(question)
        const typed = await lines.next()
        if (echo && typed.type === 'line') print(`You: ${typed.line}`)
        return typed
      }
      return readForm(request, ask)
    }
    const typed = await lines.next(until === undefined ? undefined : Math.max(0, until - Date.now()) / 1_000)
    if (typed.type === 'timeout') return typed
    if (typed.type === 'end') {
      print('(The conversation waits for an answer.)')
      return null
    }
    const { line } = typed
    if (echo) print(`You: ${line}`)
    if (line === '/quit') return null
    if (line === '/skip') return { type: 'skip' }
    if (line === '/timeout' && request.timeout !== undefined) {
      fast?.(request.timeout)
      return { type: 'timeout' }
    }
    if (line === '/vars') {
      for (const [id, value] of Object.entries(variables)) {
        const name = options.names.get(id) ?? findSystemVariable(id)?.name
        if (name && value !== null) print(`  ${name} = ${JSON.stringify(value)}`)
      }
      continue
    }
    if (request.input === 'wait') {
      print(`  One moment: the conversation goes on by itself.`)
      continue
    }
    if (/^\/[a-z]+$/.test(line)) {
      print(`  There is no ${line}: /skip, /timeout, /vars or /quit. //${line.slice(1)} sends it as a text.`)
      continue
    }
    const answer = readReply(request, line.startsWith('//') ? line.slice(1) : line)
    if ('type' in answer) return answer
    print(`  ${answer.problem}`)
  }
}

const traceLine = ({ flowId, groupId, blockId, kind, port, writes, note }: TurnResult['trace'][number]): string =>
  [
    `${flowId ? `${flowId}/` : ''}${groupId}/${blockId} ${kind}${port === null ? '' : ` → ${port}`}`,
    ...(Object.keys(writes).length > 0 ? [JSON.stringify(writes)] : []),
    ...(note ? [note] : []),
  ].join('  ')

const stoppedText = ({ reason, at }: NonNullable<TurnResult['stopped']>): string =>
  `The flow was stopped at block ${at.blockId} of group ${at.groupId}: ${STOPPED[reason]}.`

const STOPPED: Record<StopReason, string> = {
  cycle: 'it goes round in a circle without asking',
  'step-limit': 'it ran too long without asking',
  'too-much-work': 'its expressions, patterns, texts and lists take more work than one turn may',
}
