import type { FlowCommands } from '../document/commands'
import type { EdgeTarget } from '../flow/schema'
import type { ProblemCode, ReasonCode, RemedyCode, Severity } from './texts'

/** What the checker says about one place of a flow. Plain data, without words: describeDiagnostic has those. */
export interface Diagnostic {
  readonly code: ProblemCode
  readonly severity: Severity
  readonly place: Place
  /** what the text names, besides the place */
  readonly values: Readonly<Record<string, Value>>
  readonly remedy?: Remedy
}

/** As narrow as it is known. */
export interface Place {
  readonly groupId?: string
  readonly blockId?: string
  readonly portId?: string
  /** a field of the block's data: `options.0.label` */
  readonly path?: string
  readonly variableId?: string
  readonly edge?: { readonly from: { readonly blockId: string; readonly portId: string }; readonly to: EdgeTarget }
}

/** Words as they are, or something of the flow by its id: its present name is looked up when the text is made. */
export type Value =
  | string
  | number
  | { readonly group: string }
  | { readonly block: string }
  | { readonly variable: string }
  | { readonly flow: string }
  | { readonly steps: readonly PathStep[] }
  | Reason

/** Why something may happen, with what its text names (reasonTexts). */
export interface Reason {
  readonly because: ReasonCode
  readonly times?: number
  readonly blockId?: string
  readonly steps?: readonly PathStep[]
}

/** A block on a way through the flow, and the port that it is left by where that says something. */
export interface PathStep {
  readonly groupId: string
  readonly blockId: string
  readonly portId?: string
}

/** What puts it right: commands of the document, to be carried out as one step of undo. */
export interface Remedy {
  readonly code: RemedyCode
  readonly commands: readonly FlowCommand[]
  /** for `create-secret`: its name; it belongs to the project, and no command of a document makes it */
  readonly secret?: string
  /** for `save-secret`: where it stands in plain text; it is kept by the project before a chip of it stands there */
  readonly plain?: { readonly blockId: string; readonly path: string }
}

type CommandName = Exclude<keyof FlowCommands, 'batch' | 'typing'>
/** A call of the document's commands as plain data. */
export type FlowCommand = {
  [Name in CommandName]: { readonly name: Name; readonly args: Readonly<Parameters<FlowCommands[Name]>> }
}[CommandName]

/** Carries a remedy out: one transaction, one step of undo. Commands that name something gone do nothing. */
export function applyRemedy(commands: FlowCommands, remedy: Remedy): void {
  commands.batch(() => {
    for (const { name, args } of remedy.commands) (commands[name] as (...args: readonly unknown[]) => void)(...args)
  })
}
