import type { Reply } from '../flow/effects'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import type { Interruption } from './intents'
import type { FlowProgram, Program, ProgramBlock } from './program'
import type { BlockRun, Outcome } from './runBlock'
import type { Frame, JournalEntry, Place, Session } from './session'
import { ownPart, sameVariables, systemPart, VariableStore } from './variables'

/** The number of flows that may be nested; a deeper one isn't entered. */
const MAX_DEPTH = 10
/** The number of parts of a flow that may be waited for at once; beyond it, going to a part does not come back. */
const MAX_VISITS = 50

/** A block that was already started: the state it is run again with. */
export interface Begun {
  journal: readonly JournalEntry[]
  said: number
  reply: Reply | null
}

/** Where a turn is: the current flow with its variables, and the frames waiting for it to end (README.md, "Frames"). */
export class CallStack {
  readonly frames: Frame[]
  flow: FlowProgram
  variables: VariableStore
  /** `Session.cutIn` */
  lastCutIn: string | null
  /**
   * for the current flow: the variables each block was last entered with since the last effect; `outerSeen`: those of
   * outer flows
   */
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

  /** Whether the block was entered with the same variables before, with no effect in between. */
  isCycleAt(block: ProgramBlock): boolean {
    const before = this.seen.get(block.id)
    if (before && sameVariables(before, this.variables.present)) return true
    this.seen.set(block.id, this.variables.present)
    return false
  }

  forgetSeen(): void {
    for (const seen of [this.seen, ...this.outerSeen]) seen.clear()
  }

  /** @returns the flow that a block asks to enter, or why it can't be entered */
  find(flowId: string): FlowProgram | string {
    if (this.frames.filter(({ type }) => type === 'flow').length >= MAX_DEPTH)
      return `Flows are entered at most ${MAX_DEPTH} deep; this one was not.`
    return this.program.flow(flowId) ?? `The flow '${flowId}' is gone.`
  }

  /** Leaves the question at `at` for a trigger's branch; if the intent resumes, the question is kept to return to. */
  interrupt({ trigger, flow, intent }: Interruption, at: Session['at']): void {
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

  /** Enters another flow; the block waits until it ends. @returns the flow's first block; null if it has none */
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
   * Goes to another part of the flow; the block waits until that part ends. If nothing follows the block, it does not
   * wait: otherwise a menu reachable from everywhere would grow the session.
   */
  visit(block: ProgramBlock, first: ProgramBlock | null, { journal, said, notes }: BlockRun): ProgramBlock | null {
    if (!goesOnAfterVisit(block)) return first
    if (this.frames.filter(({ type }) => type === 'visit').length >= MAX_VISITS) {
      notes.push(`At most ${MAX_VISITS} parts of a flow wait for one another: this one was gone to for good.`)
      return first
    }
    this.frames.push({ type: 'visit', ...this.place(block), variables: null, journal, said })
    // going to a part twice with the same values is not a cycle
    this.outerSeen.push(this.seen)
    this.seen = new Map()
    return first
  }

  /**
   * The current flow, part of a flow or interruption has ended: continues what was waiting for it; null if nothing was.
   * @param onGone called for each waiting block that no longer exists
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

  /** Returns from an intent of an outer flow: the variables it changed stay in that flow. */
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

/** Whether anything follows a block that goes to another part and comes back. */
export function goesOnAfterVisit({ below, edges, runnable }: ProgramBlock): boolean {
  const jumps = runnable?.definition.jumps(runnable.data) ?? []
  return jumps.some(({ back }) => back !== undefined && (edges.has(back) || below !== null))
}

const keptIn = (frames: readonly Frame[]): Variables[] =>
  frames.flatMap(({ variables }) => (variables === null ? [] : [variables]))
