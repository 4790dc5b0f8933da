import { BudgetSpent, charge } from '../budget'
import type { ChannelTraits } from '../flow/capabilities'
import type { BotMessage, Cause, Effect, InputRequest, Listen, Reply, StayOpen, Step } from '../flow/effects'
import type { EdgeTarget } from '../flow/schema'
import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import { printValue } from '../values/render'
import { type FlowProgram, messageOf, type ProgramBlock } from './program'
import type { JournalEntry } from './session'
import type { VariableStore } from './variables'

/**
 * A request of the engine to the runtime. `key` is unique within the session and the same when a turn is repeated after
 * a crash: a runtime that stores results by key never repeats a finished call. Answers: `now` the time as ISO 8601 in
 * UTC, `random` a number in [0, 1), `call` any JSON (a failure is a result too).
 */
export type RuntimeEffect = { key: string } & (
  | { type: 'now' }
  | { type: 'random' }
  | { type: 'call'; service: string; request: Json }
)

/** How a block's run ended. */
export type Outcome =
  | { type: 'left'; port: string }
  | { type: 'jumped'; to: ReturnType<FlowProgram['resolve']> & object }
  | { type: 'visits'; to: ReturnType<FlowProgram['resolve']> & object }
  | { type: 'back' }
  | { type: 'waits'; request: InputRequest; listen: Listen | null }
  | { type: 'enters'; flow: FlowProgram; variables: Record<string, Json>; groupId: string | undefined }
  | { type: 'ended' }
  | { type: 'failed'; reason: string }
  | { type: 'diverged' }
  | { type: 'endless' }

/** One run of one block. `journal`, `said`, `reply` are updated during the run. */
export interface BlockRun {
  block: ProgramBlock
  /** recorded results; new ones are appended */
  journal: JournalEntry[]
  /** messages delivered in earlier turns, which are not sent again */
  delivered: number
  /** messages of this run, including those delivered earlier */
  said: number
  /** the visitor's reply, until an `ask` consumes it */
  reply: Reply | null
  /** what started the run at this trigger */
  cause: Cause | null
  /** in which its texts are said, the best first (Program.spoken) */
  languages: readonly string[]
  /** the flow to enter, or the reason why it can't be entered */
  find: (flowId: string) => FlowProgram | string
  /** whether anything waits for the present part to end */
  hasBack: boolean
  /** what the conversation's channel can do */
  channel: ChannelTraits
  /** the number of this run, for keys */
  entry: number
  messages: BotMessage[]
  writes: Record<string, Json>
  notes: string[]
  /** how the conversation stays open after the flow's end */
  open: StayOpen | null
  /** an effect of the runtime was executed: the world may have changed */
  touchedWorld: boolean
}

/** A block that yields more effects in one run counts as endless. */
const MAX_EFFECTS = 10_000
const MAX_PREVIEW = 1_000
/** The cost of an effect in addition to its work. */
const EFFECT = 50

/**
 * Runs a block from its start: recorded effects are answered from the journal, the first `ask` that is not recorded
 * gets the reply, other effects go to the runtime. Of what a kind throws, only BudgetSpent is passed on; what the
 * runtime throws is passed on too.
 */
export function* runBlock(
  run: BlockRun,
  flow: FlowProgram,
  variables: VariableStore,
): Generator<RuntimeEffect, Outcome, Json> {
  const { runnable } = run.block
  if (!runnable) return { type: 'failed', reason: run.block.problem ?? '' }
  const data = runnable.dataIn?.(run.languages) ?? runnable.data
  const recorded = run.journal.length
  let cursor = 0
  // whether the journal has been replayed completely, so that what happens now is new
  const isNew = (): boolean => cursor >= recorded && !run.reply
  let result: unknown
  let step: Step<string> | null = null
  for (let count = 0; count < MAX_EFFECTS; count++) {
    charge(EFFECT)
    let next: IteratorResult<Effect, string>
    try {
      step ??= runnable.definition.run(data)
      next = step.next(result)
    } catch (error) {
      if (error instanceof BudgetSpent) throw error
      return { type: 'failed', reason: `The block failed: ${messageOf(error)}` }
    }
    if (next.done) return isNew() ? { type: 'left', port: next.value } : { type: 'diverged' }
    const effect = next.value
    result = undefined
    switch (effect.type) {
      case 'say':
        if (++run.said > run.delivered) run.messages.push(effect.message)
        break
      case 'set': {
        const note = variables.set(effect.variableId, effect.value, effect.system)
        if (!isNew()) break
        run.writes[effect.variableId] = preview(variables.present[effect.variableId] ?? null)
        if (note) run.notes.push(note)
        break
      }
      case 'read':
        result = variables.present
        break
      case 'channel':
        result = run.channel
        break
      case 'note':
        if (isNew()) run.notes.push(effect.message)
        break
      case 'stay-open':
        run.open = effect.open
        break
      case 'goto': {
        if (!isNew()) return { type: 'diverged' }
        const to = flow.resolve(effect.target)
        if (to) return { type: 'jumped', to }
        run.notes.push(describe(effect))
        break
      }
      case 'back':
        if (!isNew()) return { type: 'diverged' }
        if (run.hasBack) return { type: 'back' }
        run.notes.push('There is nothing to go back to.')
        break
      case 'end':
        return isNew() ? { type: 'ended' } : { type: 'diverged' }
      default: {
        const entry = cursor < recorded ? run.journal[cursor++] : undefined
        if (entry) {
          if (entry.type !== effect.type) return { type: 'diverged' }
          result = entry.result
          break
        }
        if (effect.type !== 'ask' && run.reply) return { type: 'diverged' }
        switch (effect.type) {
          case 'ask':
            if (!run.reply) return { type: 'waits', request: effect.request, listen: effect.listen ?? null }
            result = run.reply
            run.reply = null
            break
          case 'enter': {
            const found = run.find(effect.flowId)
            if (typeof found !== 'string') {
              const { variables, groupId } = effect
              return { type: 'enters', flow: found, variables, groupId }
            }
            run.notes.push(found)
            result = null
            break
          }
          case 'visit': {
            const to = flow.resolve(effect.target)
            if (to) return { type: 'visits', to }
            run.notes.push(describe(effect))
            result = null
            break
          }
          case 'cause':
            result = run.cause
            break
          default:
            result = yield { ...effect, key: `${run.entry}.${run.journal.length}` }
            run.touchedWorld = true
        }
        run.journal.push({ type: effect.type, result: result as Json })
      }
    }
  }
  return { type: 'endless' }
}

/** A shortened value for the trace: a turn may have a thousand steps, and a value 64 KB. */
function preview(value: Json): Json {
  const text = printValue(value)
  return text.length > MAX_PREVIEW ? `${cleanText(text.slice(0, MAX_PREVIEW))}…` : value
}

const describe = ({ target }: { target: EdgeTarget }): string =>
  `Its target (${target.blockId ? `block '${target.blockId}'` : `group '${target.groupId}'`}) is gone.`
