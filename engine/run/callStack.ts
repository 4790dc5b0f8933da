import type { Reply } from '../flow/effects'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import type { Heard } from './intents'
import type { FlowProgram, Program, ProgramBlock } from './program'
import type { BlockRun, Outcome } from './runBlock'
import type { Frame, JournalEntry, Place, Session } from './session'
import { ownPart, sameVariables, systemPart, VariableStore } from './variables'

/** Flows entered within each other; deeper ones are not entered. */
const MAX_DEPTH = 10
/** Parts of a flow that wait for one another to come back; what is deeper is gone to for good. */
const MAX_VISITS = 50

/** A block that has begun already: what it is run again with. */
export interface Begun {
  journal: readonly JournalEntry[]
  said: number
  reply: Reply | null
}

/** Where a turn is: the present flow with its variables, and the frames of what waits for it (README.md, "Frames"). */
export class CallStack {
  readonly frames: Frame[]
  flow: FlowProgram
  variables: VariableStore
  /** `Session.cutIn` */
  lastCutIn: string | null
  /** the variables with which a block of this flow was last entered since the world changed; those of outer flows below */
  private seen = new Map<string, Variables>()
  private readonly outerSeen: Map<string, Variables>[] = []

  constructor(
    private readonly program: Program,
    session: Session,
  ) {
    this.frames = [...session.frames]
    this.flow = program.flow(session.flowId) ?? program
    this.variables = new VariableStore(session.variables, keptIn(this.frames))
    this.lastCutIn = session.cutIn
  }

  place({ groupId, id }: ProgramBlock): Place {
    return { flowId: this.flow.id, groupId, blockId: id }
  }

  /** Whether the block was entered with the same variables before, and nothing has changed in the world since. */
  isCycleAt(block: ProgramBlock): boolean {
    const before = this.seen.get(block.id)
    if (before && sameVariables(before, this.variables.present)) return true
    this.seen.set(block.id, this.variables.present)
    return false
  }

  forgetSeen(): void {
    for (const seen of [this.seen, ...this.outerSeen]) seen.clear()
  }

  /** @returns the flow that a block asks to enter, or why it is not entered */
  find(flowId: string): FlowProgram | string {
    if (this.frames.filter(({ type }) => type === 'flow').length >= MAX_DEPTH)
      return `Flows are entered at most ${MAX_DEPTH} deep; this one was not.`
    return this.program.flow(flowId) ?? `The flow '${flowId}' is gone.`
  }

  /** Leaves the question at `at` for an intent's branch, or puts it off until that is over, where the intent resumes. */
  interrupt({ trigger, flow, intent }: Heard, at: Session['at']): void {
    const elsewhere = flow.id !== this.flow.id
    const isUnderWay = this.frames.some((frame) => frame.type === 'again' && frame.by === trigger.id)
    const level = this.frames.findLastIndex((frame) => frame.type === 'flow' && frame.flowId === flow.id)
    const outer = this.frames[level]
    if (intent.resumes && at && !isUnderWay) {
      const variables = elsewhere ? ownPart(this.variables.present) : null
      this.frames.push({ type: 'again', flowId: this.flow.id, ...at, by: trigger.id, variables })
    } else if (elsewhere) this.frames.length = Math.max(0, level)
    if (elsewhere) this.switchTo(flow, outer?.type === 'flow' ? outer.variables : flow.variables)
    this.lastCutIn = trigger.id
  }

  /** Enters another flow, which the block waits for. @returns where it begins; null when nothing does */
  enter(
    block: ProgramBlock,
    { flow, variables, groupId }: Outcome & { type: 'enters' },
    { journal, said, notes }: BlockRun,
    entryVariables: Variables,
  ): ProgramBlock | null {
    this.frames.push({ type: 'flow', ...this.place(block), variables: ownPart(entryVariables), journal, said })
    this.outerSeen.push(this.seen)
    this.seen = new Map()
    this.switchTo(flow, flow.variables)
    for (const [id, value] of Object.entries(variables)) {
      const note = Object.hasOwn(flow.variables, id)
        ? this.variables.set(id, value)
        : `The flow has no variable '${id}'; its value was not given.`
      if (note) notes.push(note)
    }
    const at = groupId === undefined ? null : flow.resolve({ groupId })
    if (at) return at.first
    if (groupId !== undefined) notes.push(`Group '${groupId}' of that flow is gone; it begins at its start.`)
    const start = flow.entry({ type: 'start' })
    if (!start) notes.push('Nothing starts that flow: it has no trigger that fits.')
    return start
  }

  /**
   * Goes to another part of the flow, which the block waits for; for good where nothing follows the block, so that a menu that is
   * gone to from everywhere does not grow the session.
   */
  visit(block: ProgramBlock, first: ProgramBlock | null, { journal, said, notes }: BlockRun): ProgramBlock | null {
    if (!goesOnAfterVisit(block)) return first
    if (this.frames.filter(({ type }) => type === 'visit').length >= MAX_VISITS) {
      notes.push(`At most ${MAX_VISITS} parts of a flow wait for one another: this one was gone to for good.`)
      return first
    }
    this.frames.push({ type: 'visit', ...this.place(block), variables: null, journal, said })
    // a part that is gone to twice with the same values is no cycle
    this.outerSeen.push(this.seen)
    this.seen = new Map()
    return first
  }

  /**
   * The present flow, part of it or interruption is over: takes up what it came before; null when there is nothing.
   * @param onGone told of each block to come back to that is gone
   */
  comeBack(onGone: (place: Place) => void): { block: ProgramBlock; begun?: Begun } | null {
    for (let frame = this.frames.pop(); frame; frame = this.frames.pop()) {
      const left = ownPart(this.variables.present)
      const flow = this.program.flow(frame.flowId)
      const block = flow?.blocks.get(frame.blockId)
      if (frame.type === 'flow') {
        this.seen = this.outerSeen.pop() ?? new Map()
        this.switchTo(flow ?? this.program, frame.variables)
      } else if (frame.type === 'visit') {
        this.seen = this.outerSeen.pop() ?? new Map()
      } else {
        this.lastCutIn = null
        if (frame.variables) this.leaveOuter(flow ?? this.program, left, frame.variables)
      }
      if (!block) onGone({ flowId: frame.flowId, groupId: frame.groupId, blockId: frame.blockId })
      else if (frame.type === 'again') return { block }
      else {
        const answer: JournalEntry =
          frame.type === 'visit' ? { type: 'visit', result: true } : { type: 'enter', result: left }
        const journal: JournalEntry[] = [...frame.journal, answer]
        return { block, begun: { journal, said: frame.said, reply: null } }
      }
    }
    return null
  }

  /** Back from an intent of an outer flow: what it changed stays with that flow. */
  private leaveOuter(flow: FlowProgram, left: Record<string, Json>, variables: Variables): void {
    const level = this.frames.findLastIndex((frame) => frame.type === 'flow' && frame.flowId === this.flow.id)
    const outer = this.frames[level]
    if (outer?.type === 'flow') this.frames[level] = { ...outer, variables: left }
    this.seen = new Map()
    this.switchTo(flow, variables)
  }

  private switchTo(flow: FlowProgram, variables: Variables): void {
    const shared = systemPart(this.variables.present)
    this.flow = flow
    this.variables = new VariableStore({ ...variables, ...shared }, keptIn(this.frames))
  }
}

/** Whether anything follows a block that went elsewhere and came back. */
export function goesOnAfterVisit({ below, edges, runnable }: ProgramBlock): boolean {
  const jumps = runnable?.definition.jumps(runnable.data) ?? []
  return jumps.some(({ back }) => back !== undefined && (edges.has(back) || below !== null))
}

const keptIn = (frames: readonly Frame[]): Variables[] =>
  frames.flatMap(({ variables }) => (variables === null ? [] : [variables]))
